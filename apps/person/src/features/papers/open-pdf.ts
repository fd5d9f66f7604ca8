import { scriptUrl } from '@sealpost/ui'
import { getDocument, type PDFDocumentProxy, PDFWorker } from 'pdfjs-dist'
// oxlint-disable-next-line import/default -- Vite answers the address of the built file
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url'

/** From the build: see `pdf-files.ts`. */
declare const PDF_FILES: string

export interface OpenPdf {
  readonly document: PDFDocumentProxy
  /** Ends its worker, and with it everything that was read from the file. */
  close(): void
}

/**
 * Reads a PDF in a worker of its own. The worker is made here: by itself the library would make it of a plain text, which
 * the policy refuses, and then read the file in the page.
 */
export async function openPdf(bytes: Uint8Array<ArrayBuffer>): Promise<OpenPdf> {
  const port = new Worker(scriptUrl(workerUrl), { type: 'module', name: 'pdf' })
  const worker = PDFWorker.create({ port })
  const close = (): void => {
    worker.destroy()
    port.terminate()
  }
  try {
    const task = getDocument({
      // It is handed over to the worker, and the page still needs its own for a download.
      data: bytes.slice(),
      worker,
      cMapUrl: `${PDF_FILES}cmaps/`,
      standardFontDataUrl: `${PDF_FILES}standard_fonts/`,
      iccUrl: `${PDF_FILES}iccs/`,
      wasmUrl: `${PDF_FILES}wasm/`,
      useWorkerFetch: true,
      useSystemFonts: false,
      enableXfa: false,
      verbosity: 0,
    })
    return { document: await task.promise, close }
  } catch (error) {
    close()
    throw error
  }
}
