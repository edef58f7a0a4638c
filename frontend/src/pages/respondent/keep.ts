/** What the device keeps of a survey: the one body that may be sent, then only that it was. Never an answer. */

/** Drawn: the exact bytes of the only body; sent or erased: a marker, so that the form does not reopen. */
export type Kept =
  | { readonly slug: string; readonly at: "drawn"; readonly fingerprint: string; readonly body: string }
  | { readonly slug: string; readonly at: "sent"; readonly version: number; readonly receipt: string }
  | { readonly slug: string; readonly at: "erased" };

export interface Shelf {
  find(slug: string): Promise<Kept | undefined>;
  /** Stores what is given unless something is there already; answers what is there afterwards. */
  addOnce(kept: Kept): Promise<Kept>;
  /** Puts a marker in the place of the drawn body. */
  replace(kept: Kept): Promise<void>;
}

/** The shelf in IndexedDB: its unique key decides races between tabs; rejects where there is no storage. */
export async function openShelf(): Promise<Shelf> {
  const opening = indexedDB.open("deniable", 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore("kept", { keyPath: "slug" });
  const database = await settled(opening);

  async function within<T>(
    mode: IDBTransactionMode,
    act: (store: IDBObjectStore) => IDBRequest<T>,
  ): Promise<T> {
    // Strict: on disk before the first request leaves.
    const transaction = database.transaction("kept", mode, { durability: "strict" });
    const finished = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error);
    });
    const [value] = await Promise.all([settled(act(transaction.objectStore("kept"))), finished]);
    return value;
  }

  const find = (slug: string) => within<Kept | undefined>("readonly", (store) => store.get(slug));
  return {
    find,
    async addOnce(kept) {
      try {
        await within("readwrite", (store) => store.add(kept));
      } catch (error) {
        if ((error as DOMException)?.name !== "ConstraintError") throw error;
      }
      const there = await find(kept.slug);
      if (there === undefined) throw new Error("not stored");
      return there;
    },
    async replace(kept) {
      await within("readwrite", (store) => store.put(kept));
    },
  };
}

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
