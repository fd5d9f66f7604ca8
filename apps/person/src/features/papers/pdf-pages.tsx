import { Button, Notice, Pending } from '@sealpost/ui'
import { ZoomIn, ZoomOut } from 'lucide-react'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { useWords } from '../../words/index.ts'
import { type OpenPdf, openPdf } from './open-pdf.ts'
import { PdfPage, tryPages } from './pdf-page.tsx'
import { OPENING, type Sight, UNSHOWN } from './sight.ts'
import classes from './pdf-pages.module.css'

const SIZES = [1, 1.5, 2, 3] as const

type Opening =
  | { readonly state: 'pending' }
  | { readonly state: 'failed' }
  | { readonly state: 'ready'; readonly pdf: OpenPdf }

/** All pages below each other, drawn as they come near. */
export default function PdfPages({
  bytes,
  onSight,
}: {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly onSight: (sight: Sight) => void
}): ReactNode {
  const words = useWords().papers
  const opening = useOpenPdf(bytes, onSight)
  const [size, setSize] = useState(0)
  const pages = useRef<HTMLDivElement>(null)
  const width = useWidth(pages, opening.state)
  if (opening.state === 'pending') return <Pending>{words.drawing}</Pending>
  if (opening.state === 'failed') return <Notice kind="bad" what={words.badPdf} next={words.badPdfNext} />
  const { document } = opening.pdf
  const factor = SIZES[size] ?? 1
  return (
    <section className={classes.paper} aria-label={words.content}>
      <div className={classes.bar}>
        <Button aria-label={words.smaller} disabled={size === 0} onClick={() => setSize(size - 1)}>
          <ZoomOut size={20} aria-hidden />
        </Button>
        <span className={classes.size} role="status">
          {words.size(factor * 100)}
        </span>
        <Button aria-label={words.larger} disabled={size === SIZES.length - 1} onClick={() => setSize(size + 1)}>
          <ZoomIn size={20} aria-hidden />
        </Button>
      </div>
      {/* What scrolls must be reachable by keyboard. */}
      <div ref={pages} className={classes.pages} tabIndex={0} role="group" aria-label={words.content}>
        {Array.from({ length: width === 0 ? 0 : document.numPages }, (_, at) => (
          <PdfPage key={at} document={document} number={at + 1} width={Math.floor(width * factor)} />
        ))}
      </div>
    </section>
  )
}

/** Shown means that every page can be drawn: those that are far are drawn when they come near. */
function useOpenPdf(bytes: Uint8Array<ArrayBuffer>, onSight: (sight: Sight) => void): Opening {
  const [opening, setOpening] = useState<Opening>({ state: 'pending' })
  useEffect(() => {
    let isLeft = false
    let opened: OpenPdf | null = null
    const open = async (): Promise<void> => {
      const pdf = await openPdf(bytes)
      opened = pdf
      if (isLeft) return pdf.close()
      setOpening({ state: 'ready', pdf })
      await tryPages(pdf.document)
      if (!isLeft) onSight({ state: 'shown', pages: pdf.document.numPages })
    }
    onSight(OPENING)
    open().catch(() => {
      if (isLeft) return
      setOpening({ state: 'failed' })
      onSight(UNSHOWN)
    })
    return () => {
      isLeft = true
      opened?.close()
    }
  }, [bytes, onSight])
  return opening
}

/** Follows the window, and the way a phone is held. */
function useWidth(place: RefObject<HTMLElement | null>, shown: string): number {
  const [width, setWidth] = useState(0)
  useEffect(() => {
    if (place.current === null) return undefined
    const watch = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)))
    watch.observe(place.current)
    return () => watch.disconnect()
  }, [place, shown])
  return width
}
