// Between a click and the first word of the server the page looks idle, but a run is owed; so it
// does from the choice of a file until it has been sent.
(() => {
  // Fields of Streamlit's messages: `rerun_script` and `file_urls_request` of `BackMsg`, and
  // `new_session` of `ForwardMsg`.
  const RERUN = 11, UPLOAD = 16, BEGUN = 4;
  window.runs = 0;

  function fieldsOf(message) {
    const bytes = new Uint8Array(message), fields = [];
    let at = 0;
    function number() {
      let value = 0;
      for (let scale = 1; ; scale *= 128) {
        const byte = bytes[at++];
        value += (byte & 127) * scale;
        if (byte < 128) return value;
      }
    }
    while (at < bytes.length) {
      const tag = number(), kind = tag % 8;
      fields.push(Math.floor(tag / 8));
      if (kind === 0) number();
      else if (kind === 2) { const length = number(); at += length; }
      else at += kind === 1 ? 8 : 4;
    }
    return fields;
  }

  const send = WebSocket.prototype.send, heard = new WeakSet();
  WebSocket.prototype.send = function (message) {
    if (!heard.has(this)) {
      heard.add(this);
      this.addEventListener("message", event => {
        if (!fieldsOf(event.data).includes(BEGUN)) return;
        window.runIsOwed = false;
        window.runs++;
      });
    }
    const fields = fieldsOf(message);
    if (fields.includes(UPLOAD)) window.fileIsOwed = true;
    if (fields.includes(RERUN)) {
      window.runIsOwed = true;
      window.fileIsOwed = false;
    }
    return send.call(this, message);
  };
})();
