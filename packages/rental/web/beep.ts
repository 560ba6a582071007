/** A low tone for what did not work: the eyes of a clerk are on the shelf. */
let audio: AudioContext | null = null

export const beep = (): void => {
  audio ??= new AudioContext()
  // Before the first key or press, browsers keep pages silent.
  if (audio.state !== 'running') return
  const tone = audio.createOscillator()
  const volume = audio.createGain()
  tone.frequency.value = 220
  volume.gain.value = 0.15
  tone.connect(volume).connect(audio.destination)
  tone.start()
  tone.stop(audio.currentTime + 0.18)
}
