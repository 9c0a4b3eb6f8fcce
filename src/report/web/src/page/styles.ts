/**
 * Style attributes under the page's content policy, which refuses them. A library that writes one means a property of
 * the element: it is set as such, through the object model, which the policy allows to the page's own script alone.
 */

const plain = Element.prototype.setAttribute;

Element.prototype.setAttribute = function (this: Element, name: string, value: string): void {
  if (name === "style" && (this instanceof HTMLElement || this instanceof SVGElement)) this.style.cssText = value;
  else plain.call(this, name, value);
};

export {};
