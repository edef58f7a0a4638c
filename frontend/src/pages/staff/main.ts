/** The staff pages' entry. */
export {};
