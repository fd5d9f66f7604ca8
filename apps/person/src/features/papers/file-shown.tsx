import { Notice, Pending } from '@sealpost/ui'
import { lazy, type ReactNode, Suspense, useEffect, useMemo } from 'react'
import { useWords } from '../../words/index.ts'
import type { PaperContent } from '../../worker/commands/papers.ts'
import { fileKind } from './file-kind.ts'
import classes from './paper.module.css'

/** Larger than everything else of the app: loaded with the first PDF. */
const PdfPages = lazy(() => import('./pdf-pages.tsx'))

type FileContent = Extract<PaperContent, { readonly kind: 'file' }>

export function FileShown({
  content,
  name,
  onPages,
}: {
  readonly content: FileContent
  readonly name: string
  readonly onPages: (pages: number) => void
}): ReactNode {
  const words = useWords().papers
  const { bytes, mimeType } = content
  const kind = fileKind(mimeType)
  if (kind === 'pdf')
    return (
      <Suspense fallback={<Pending>{words.drawing}</Pending>}>
        <PdfPages bytes={bytes} onPages={onPages} />
      </Suspense>
    )
  if (kind === 'image') return <Picture bytes={bytes} mimeType={mimeType} about={words.picture(name)} />
  if (kind === 'text') return <pre className={classes.plain}>{new TextDecoder().decode(bytes)}</pre>
  return <Notice what={words.cannotShow} next={words.cannotShowNext} />
}

function Picture({
  bytes,
  mimeType,
  about,
}: {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly mimeType: string
  readonly about: string
}): ReactNode {
  const url = useMemo(() => URL.createObjectURL(new Blob([bytes], { type: mimeType })), [bytes, mimeType])
  useEffect(() => () => URL.revokeObjectURL(url), [url])
  return <img className={classes.picture} src={url} alt={about} />
}
