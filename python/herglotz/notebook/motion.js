// A widget's motion: a frame with the page of the run, which keeps the page's styles and its policy apart from the notebook's.

function render({ model, el }) {
  const frame = document.createElement("iframe");
  // The page shows the motion alone in a frame of this name.
  frame.name = "herglotz-motion";
  frame.setAttribute("sandbox", "allow-scripts allow-downloads");
  frame.title = "Motion";
  Object.assign(frame.style, { width: "100%", height: `${model.get("height")}px`, border: "0" });
  frame.srcdoc = model.get("page");
  const take = ({ source, data }) => {
    if (source !== frame.contentWindow || typeof data?.time !== "number") return;
    model.set("time", data.time);
    model.save_changes();
  };
  const give = () => frame.contentWindow?.postMessage({ time: model.get("time") }, "*");
  window.addEventListener("message", take);
  model.on("change:time", give);
  el.append(frame);
  return () => {
    window.removeEventListener("message", take);
    model.off("change:time", give);
  };
}

export default { render };
