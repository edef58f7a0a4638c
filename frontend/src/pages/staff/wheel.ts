/** The wheel to scale, as the path that the server draws too. */

const CENTRE = 60;
const RADIUS = 54;

/** Give the path of a sector that starts at the top and covers this share of the wheel, clockwise. */
export function sector(share: number): string {
  const angle = 2 * Math.PI * Math.min(Math.max(share, 0), 0.999999);
  const x = (CENTRE + RADIUS * Math.sin(angle)).toFixed(3);
  const y = (CENTRE - RADIUS * Math.cos(angle)).toFixed(3);
  const large = share > 0.5 ? 1 : 0;
  return `M${CENTRE} ${CENTRE}V${CENTRE - RADIUS}A${RADIUS} ${RADIUS} 0 ${large} 1 ${x} ${y}Z`;
}

/** Make one coin; bright ones mean "own answer". */
export function coin(page: Document, own: boolean): SVGSVGElement {
  const svg = page.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 44 44");
  svg.setAttribute("aria-hidden", "true");
  const circle = page.createElementNS("http://www.w3.org/2000/svg", "circle");
  circle.setAttribute("class", own ? "c-own" : "c-other");
  circle.setAttribute("cx", "22");
  circle.setAttribute("cy", "22");
  circle.setAttribute("r", "20");
  svg.append(circle);
  return svg;
}
