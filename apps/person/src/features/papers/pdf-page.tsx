import { type PDFDocumentProxy, type PDFPageProxy, TextLayer } from 'pdfjs-dist'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useWords } from '../../words/index.ts'
import classes from './pdf-pages.module.css'

/** A larger picture would be refused by phones, or drawn empty. */
const MOST_PIXELS = 16_000_000
/** Drawn before they are seen, and dropped when they are far. */
const NEAR = '800px 0px'
/** Until its real shape is known: A4. */
const ASPECT = 210 / 297

/** A page as a picture, with its text above it for selection and screen readers. */
export function PdfPage({
  document,
  number,
  width,
}: {
  readonly document: PDFDocumentProxy
  readonly number: number
  /** In pixels of the page. */
  readonly width: number
}): ReactNode {
  const words = useWords().papers
  const frame = useRef<HTMLDivElement>(null)
  const [aspect, setAspect] = useState(ASPECT)
  useEffect(() => {
    const place = frame.current
    if (place === null) return undefined
    let drawing: AbortController | null = null
    const watch = new IntersectionObserver(
      ([entry]) => {
        drawing?.abort()
        drawing = null
        if (entry?.isIntersecting !== true) return
        drawing = new AbortController()
        void draw({ document, number, width, place }, drawing.signal, setAspect)
      },
      { rootMargin: NEAR },
    )
    watch.observe(place)
    return () => {
      watch.disconnect()
      drawing?.abort()
    }
  }, [document, number, width])
  return (
    <div
      ref={frame}
      className={classes.page}
      role="group"
      aria-label={words.page(number, document.numPages)}
      style={{ aspectRatio: aspect, inlineSize: width }}
    />
  )
}

/** In pixels: enough to find out whether a page can be drawn at all. */
const TRIED_WIDTH = 120

/** Draws every page once, small and unseen; throws when one cannot be drawn. */
export async function tryPages(document: PDFDocumentProxy): Promise<void> {
  const canvas = globalThis.document.createElement('canvas')
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await document.getPage(number)
    const { width } = page.getViewport({ scale: 1 })
    const viewport = page.getViewport({ scale: TRIED_WIDTH / width })
    canvas.width = Math.floor(viewport.width)
    canvas.height = Math.max(1, Math.floor(viewport.height))
    await page.render({ canvas, viewport }).promise
  }
  canvas.width = 0
}

interface Drawn {
  readonly document: PDFDocumentProxy
  readonly number: number
  readonly width: number
  readonly place: HTMLElement
}

async function draw(
  { document, number, width: wanted, place }: Drawn,
  signal: AbortSignal,
  onAspect: (aspect: number) => void,
): Promise<void> {
  const page = await document.getPage(number).catch(() => null)
  if (page === null || signal.aborted) return
  const { width, height } = page.getViewport({ scale: 1 })
  onAspect(width / height)
  const scale = wanted / width
  const canvas = globalThis.document.createElement('canvas')
  const text = globalThis.document.createElement('div')
  text.className = classes.text
  signal.addEventListener('abort', () => {
    canvas.width = 0
    canvas.remove()
    text.remove()
  })
  try {
    await paint(page, canvas, scale, signal)
    if (signal.aborted) return
    place.append(canvas, text)
    await layText(page, text, scale, signal)
  } catch {
    // Left before it was drawn, or a page that cannot be drawn: its frame stays empty, and the file can be saved.
  }
}

async function paint(page: PDFPageProxy, canvas: HTMLCanvasElement, scale: number, signal: AbortSignal): Promise<void> {
  const { width, height } = page.getViewport({ scale })
  const sharpness = Math.min(devicePixelRatio, Math.sqrt(MOST_PIXELS / (width * height)))
  const viewport = page.getViewport({ scale: scale * sharpness })
  canvas.width = Math.floor(viewport.width)
  canvas.height = Math.floor(viewport.height)
  canvas.ariaHidden = 'true'
  const task = page.render({ canvas, viewport })
  signal.addEventListener('abort', () => task.cancel())
  await task.promise
}

async function layText(page: PDFPageProxy, container: HTMLElement, scale: number, signal: AbortSignal): Promise<void> {
  container.style.setProperty('--total-scale-factor', String(scale))
  const viewport = page.getViewport({ scale })
  const layer = new TextLayer({ textContentSource: page.streamTextContent(), container, viewport })
  signal.addEventListener('abort', () => layer.cancel())
  await layer.render()
}
