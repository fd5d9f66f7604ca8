import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { init, type WrappedPdfiumModule } from '@embedpdf/pdfium'
import { type Drawn, grayOf, type Medium, POINTS_PER_INCH, RESOLUTION, type Viewer } from './picture.ts'

const ANNOTATIONS = 0x01
const PRINTING = 0x800
const BGRX = 3
const WHITE = 0xff_ff_ff_ff

/** The library of Chromium, in WebAssembly. */
export async function openPdfium(): Promise<Viewer> {
  const file = fileURLToPath(import.meta.resolve('@embedpdf/pdfium/pdfium.wasm'))
  const pdfium = await init({ wasmBinary: Uint8Array.from(readFileSync(file)).buffer })
  pdfium.PDFiumExt_Init()
  return {
    name: 'pdfium',
    draw: (bytes, medium) => Promise.resolve(drawFirst(pdfium, bytes, medium)),
    close: () => Promise.resolve(),
  }
}

function drawFirst(pdfium: WrappedPdfiumModule, bytes: Uint8Array, medium: Medium): Drawn | null {
  const { malloc, free } = pdfium.pdfium.wasmExports
  const data = malloc(bytes.length)
  memoryOf(pdfium).set(bytes, data)
  const document = pdfium.FPDF_LoadMemDocument(data, bytes.length, '')
  try {
    if (document === 0) return null
    return drawDocument(pdfium, document, medium)
  } finally {
    if (document !== 0) pdfium.FPDF_CloseDocument(document)
    free(data)
  }
}

/** Fields are drawn by a part of the library that Chromium uses, too. */
function drawDocument(pdfium: WrappedPdfiumModule, document: number, medium: Medium): Drawn | null {
  const info = pdfium.PDFiumExt_OpenFormFillInfo()
  const form = pdfium.PDFiumExt_InitFormFillEnvironment(document, info)
  const page = pdfium.FPDF_LoadPage(document, 0)
  try {
    return page === 0 ? null : drawPage(pdfium, page, form, medium)
  } finally {
    if (page !== 0) pdfium.FPDF_ClosePage(page)
    pdfium.PDFiumExt_ExitFormFillEnvironment(form)
    pdfium.PDFiumExt_CloseFormFillInfo(info)
  }
}

function drawPage(pdfium: WrappedPdfiumModule, page: number, form: number, medium: Medium): Drawn {
  const scale = RESOLUTION / POINTS_PER_INCH
  const width = Math.max(1, Math.ceil(pdfium.FPDF_GetPageWidthF(page) * scale))
  const height = Math.max(1, Math.ceil(pdfium.FPDF_GetPageHeightF(page) * scale))
  const { malloc, free } = pdfium.pdfium.wasmExports
  const pixels = malloc(width * height * 4)
  const bitmap = pdfium.FPDFBitmap_CreateEx(width, height, BGRX, pixels, width * 4)
  pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE)
  const flags = ANNOTATIONS | (medium === 'paper' ? PRINTING : 0)
  pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, flags)
  pdfium.FPDF_SetFormFieldHighlightAlpha(form, 0)
  pdfium.FPDF_FFLDraw(form, bitmap, page, 0, 0, width, height, 0, flags)
  const gray = grayOf(memoryOf(pdfium).slice(pixels, pixels + width * height * 4))
  pdfium.FPDFBitmap_Destroy(bitmap)
  free(pixels)
  return { width, height, pixels: gray }
}

/** Asked for at each use: it is another one after the memory has grown. */
function memoryOf({ pdfium }: WrappedPdfiumModule): Uint8Array {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a member of every Emscripten module that its types leave out
  return (pdfium as unknown as { readonly HEAPU8: Uint8Array }).HEAPU8
}
