import { openPdfium } from './pdfium.ts'
import { openPdfjs } from './pdfjs.ts'
import type { Viewer } from './picture.ts'
import { openPoppler } from './poppler.ts'

export type { Drawn, Medium, Viewer } from './picture.ts'

export async function openViewers(): Promise<readonly Viewer[]> {
  return [openPdfjs(), openPoppler(), await openPdfium()]
}
