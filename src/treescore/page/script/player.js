// The recording of a sentence. Its elements are hidden where there is no recording.

class Player {
  /** `onTime` takes the position in seconds while the recording plays, and null at its end. */
  constructor({ onTime }) {
    this.onTime = onTime;
    this.audio = null;
    this.end = null;  // where a part that is played ends
    byId('play').addEventListener('click', () => this.toggle());
    byId('position').addEventListener('input', () => {
      if (!this.audio) return;
      this.end = null;
      this.audio.currentTime = Number(byId('position').value);
      this._show();
    });
  }

  /** Take the recording at an address; null for none. */
  load(address) {
    this.stop();
    if (this.audio && this.audio.src.startsWith('blob:')) URL.revokeObjectURL(this.audio.src);
    this.audio = null;
    byId('player').hidden = address === null;
    if (address === null) return;
    byId('clock').textContent = '';
    this.audio = h('audio', {
      src: address, preload: 'metadata',
      onloadedmetadata: () => this._show(),
      onplay: () => this._shownState(),
      onpause: () => this._shownState(),
      onerror: () => {
        byId('clock').textContent = 'this browser cannot play the recording';
      },
    });
  }

  /** Play from one time to another, by default everything. */
  play(from = 0, to = null) {
    if (!this.audio) return;
    this.end = to;
    this.audio.currentTime = from;
    this._start();
  }

  toggle() {
    if (!this.audio) return;
    if (this.audio.paused) this._start();
    else this.stop();
  }

  stop() {
    this.audio?.pause();
    this.onTime(null);
  }

  _start() {
    this.audio.play().then(() => this._follow(), () => {});  // a failure to play is shown by the event "error"
  }

  /** Follow the position until the end of the part that is played. */
  _follow() {
    const { audio } = this;
    if (!audio) return;
    if (this.end !== null && audio.currentTime >= this.end) {
      audio.pause();
      this.end = null;
    }
    this._show();
    if (audio.paused || audio.ended) this.onTime(null);
    else requestAnimationFrame(() => this._follow());
  }

  _show() {
    const { currentTime, duration } = this.audio;
    const position = byId('position');
    position.max = Number.isFinite(duration) ? duration : currentTime;
    position.value = currentTime;
    byId('clock').textContent = `${secondsText(currentTime)} / ${Number.isFinite(duration) ? secondsText(duration) : '–'} s`;
    this.onTime(currentTime);
  }

  _shownState() {
    const isPlaying = this.audio !== null && !this.audio.paused;
    byId('play').textContent = isPlaying ? '⏸' : '▶';
    byId('play').setAttribute('aria-label', isPlaying ? 'pause' : 'play');
  }
}
