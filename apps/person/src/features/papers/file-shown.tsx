import { Notice, Pending } from '@sealpost/ui'
import { lazy, type ReactNode, Suspense } from 'react'
import { useWords } from '../../words/index.ts'
import type { PaperContent } from '../../worker/commands/papers.ts'
import { Picture } from '../data/picture.tsx'
import { fileKind } from './file-kind.ts'
import { SHOWN, type Sight, UNSHOWN } from './sight.ts'
import classes from './paper.module.css'

/** Larger than everything else of the app: loaded with the first PDF. */
const PdfPages = lazy(() => import('./pdf-pages.tsx'))

type FileContent = Extract<PaperContent, { readonly kind: 'file' }>

export function FileShown({
  content,
  name,
  onSight,
}: {
  readonly content: FileContent
  readonly name: string
  readonly onSight: (sight: Sight) => void
}): ReactNode {
  const words = useWords().papers
  const { bytes, mimeType } = content
  const kind = fileKind(mimeType)
  if (kind === 'pdf')
    return (
      <Suspense fallback={<Pending>{words.drawing}</Pending>}>
        <PdfPages bytes={bytes} onSight={onSight} />
      </Suspense>
    )
  if (kind === 'image')
    return (
      <Picture
        className={classes.picture}
        bytes={bytes}
        mimeType={mimeType}
        about={words.picture(name)}
        onDrawn={(isDrawn) => onSight(isDrawn ? SHOWN : UNSHOWN)}
      />
    )
  if (kind === 'text') return <pre className={classes.plain}>{new TextDecoder().decode(bytes)}</pre>
  return <Notice what={words.cannotShow} next={words.cannotShowNext} />
}
