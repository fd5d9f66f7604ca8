/** The camera on the back of a phone, or the only one. It is off again when the signal ends. */
export async function openCamera(
  video: HTMLVideoElement,
  signal: AbortSignal,
): Promise<'open' | 'refused' | 'missing'> {
  try {
    const stream = await navigator.mediaDevices.getUserMedia({
      audio: false,
      video: { facingMode: 'environment', width: { ideal: 1280 } },
    })
    const close = (): void => {
      for (const track of stream.getTracks()) track.stop()
    }
    if (signal.aborted) close()
    else signal.addEventListener('abort', close)
    video.srcObject = stream
    await video.play()
    return 'open'
  } catch (error) {
    const isRefused = error instanceof DOMException && error.name === 'NotAllowedError'
    return isRefused ? 'refused' : 'missing'
  }
}
