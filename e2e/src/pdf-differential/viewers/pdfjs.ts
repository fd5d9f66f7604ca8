import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { AnnotationMode, getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { type Drawn, grayOf, type Medium, POINTS_PER_INCH, RESOLUTION, type Viewer } from './picture.ts'

const folder = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'))

/** The viewer of the person app and of Firefox. */
export function openPdfjs(): Viewer {
  return { name: 'pdf.js', draw: drawFirst, close: () => Promise.resolve() }
}

async function drawFirst(bytes: Uint8Array, medium: Medium): Promise<Drawn | null> {
  const task = getDocument({
    data: Uint8Array.from(bytes),
    cMapUrl: `${folder}/cmaps/`,
    standardFontDataUrl: `${folder}/standard_fonts/`,
    iccUrl: `${folder}/iccs/`,
    wasmUrl: `${folder}/wasm/`,
    useSystemFonts: false,
    enableXfa: false,
    verbosity: 0,
  })
  try {
    const document = await task.promise
    const page: DrawablePage = await document.getPage(1)
    const viewport = page.getViewport({ scale: RESOLUTION / POINTS_PER_INCH })
    const [width, height] = [Math.max(1, Math.ceil(viewport.width)), Math.max(1, Math.ceil(viewport.height))]
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its type is Object
    const made = (document.canvasFactory as CanvasFactory).create(width, height)
    const intent = medium === 'screen' ? 'display' : 'print'
    await page.render({
      canvas: null,
      canvasContext: made.context,
      viewport,
      intent,
      annotationMode: AnnotationMode.ENABLE,
    }).promise
    const { data } = made.context.getImageData(0, 0, width, height)
    return { width, height, pixels: grayOf(data) }
  } catch {
    return null
  } finally {
    await task.destroy()
  }
}

/** As they are in Node; the types of the library are those of a browser. */
interface DrawablePage {
  getViewport(options: { readonly scale: number }): { readonly width: number; readonly height: number }
  render(options: object): { readonly promise: Promise<void> }
}

interface NodeContext {
  getImageData(left: number, top: number, width: number, height: number): { readonly data: Uint8ClampedArray }
}

interface CanvasFactory {
  create(width: number, height: number): { readonly context: NodeContext }
}
