import { scriptUrl } from '@sealpost/ui'
// oxlint-disable-next-line import/default -- Vite answers the address of the built file
import workerUrl from './qr-worker.ts?worker&url'

/** Reads codes in what the camera sees, or in a picture. */
export interface QrReader {
  read(source: HTMLVideoElement | ImageBitmap): Promise<string | null>
  close(): void
}

/** The browser's own reader; TypeScript does not know it. */
interface BarcodeDetectorType {
  new (options: { readonly formats: readonly string[] }): {
    detect(source: CanvasImageSource): Promise<readonly { readonly rawValue: string }[]>
  }
  getSupportedFormats(): Promise<readonly string[]>
}

export async function openQrReader(): Promise<QrReader> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a global that only some browsers have
  const { BarcodeDetector: Detector } = globalThis as { readonly BarcodeDetector?: BarcodeDetectorType }
  const isOwn = Detector !== undefined && (await Detector.getSupportedFormats()).includes('qr_code')
  return isOwn ? browserReader(Detector) : workerReader()
}

function browserReader(Detector: BarcodeDetectorType): QrReader {
  const detector = new Detector({ formats: ['qr_code'] })
  return {
    // It refuses a camera that shows nothing yet.
    read: async (source) => (await detector.detect(source).catch(() => []))[0]?.rawValue ?? null,
    close: () => {},
  }
}

/** The longer side, in pixels: the first is enough for a code that fills the picture, the second for a small one. */
const SIDES = [640, 1280]

function workerReader(): QrReader {
  const worker = new Worker(scriptUrl(workerUrl), { type: 'module', name: 'qr' })
  const canvas = document.createElement('canvas')
  const ask = (picture: ImageData): Promise<string | null> => {
    const answered = Promise.withResolvers<string | null>()
    worker.addEventListener('message', ({ data }: MessageEvent<string | null>) => answered.resolve(data), {
      once: true,
    })
    const { width, height, data } = picture
    worker.postMessage({ width, height, data }, [data.buffer])
    return answered.promise
  }
  return {
    async read(source) {
      for (const side of SIDES) {
        const picture = pixelsOf(source, side, canvas)
        const text = picture === null ? null : await ask(picture)
        if (text !== null) return text
      }
      return null
    },
    close: () => worker.terminate(),
  }
}

function pixelsOf(source: HTMLVideoElement | ImageBitmap, side: number, canvas: HTMLCanvasElement): ImageData | null {
  const isVideo = source instanceof HTMLVideoElement
  const [width, height] = isVideo ? [source.videoWidth, source.videoHeight] : [source.width, source.height]
  if (width === 0 || height === 0) return null
  const scale = Math.min(1, side / Math.max(width, height))
  canvas.width = Math.max(1, Math.round(width * scale))
  canvas.height = Math.max(1, Math.round(height * scale))
  const drawing = canvas.getContext('2d', { willReadFrequently: true })
  drawing?.drawImage(source, 0, 0, canvas.width, canvas.height)
  return drawing?.getImageData(0, 0, canvas.width, canvas.height) ?? null
}
