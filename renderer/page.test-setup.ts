/** jsdom's page has no media queries and no canvas; both are asked for while modules load. Nothing matches, nothing paints. */
window.matchMedia ??= (media) =>
  Object.assign(new EventTarget(), {
    media,
    matches: false,
    onchange: null,
    addListener: () => undefined,
    removeListener: () => undefined,
  });
HTMLCanvasElement.prototype.getContext = () => null;
