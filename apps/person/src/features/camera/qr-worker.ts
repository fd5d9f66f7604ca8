import { type Picture, readQr } from '@sealpost/ui/qr'

/** Pictures are read apart from the page, which stays responsive, and from the worker with the keys. */
addEventListener('message', ({ data }: MessageEvent<Picture>) => {
  postMessage(readQr(data))
})
