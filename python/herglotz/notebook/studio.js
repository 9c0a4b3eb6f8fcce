// A widget's studio: a frame with the studio's page, whose messages go to Python and back.

function render({ model, el }) {
  const frame = document.createElement("iframe");
  // In a frame of this name the page has no server.
  frame.name = "herglotz-studio";
  frame.setAttribute("sandbox", "allow-scripts allow-downloads");
  frame.title = "Studio";
  Object.assign(frame.style, { width: "100%", height: `${model.get("height")}px`, border: "0" });
  frame.srcdoc = model.get("page");
  const take = ({ source, data }) => source === frame.contentWindow && typeof data?.kind === "string" && model.send(data);
  const give = (content, buffers) => {
    const [view] = buffers ?? [];
    const message = view ? view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength) : content.text;
    frame.contentWindow?.postMessage(message, "*");
  };
  window.addEventListener("message", take);
  model.on("msg:custom", give);
  el.append(frame);
  return () => {
    window.removeEventListener("message", take);
    model.off("msg:custom", give);
  };
}

export default { render };
