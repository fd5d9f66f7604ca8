import { FileUp } from 'lucide-react'
import { type DragEvent, type ReactNode, useState } from 'react'
import { Field, type FieldAbout } from '../controls/field.tsx'
import { formatBytes } from '../words/formats.ts'
import { useLanguage } from '../words/provider.tsx'
import { useUiWords } from '../words/ui-words.ts'
import classes from './file-drop.module.css'

export interface FileDropProps extends FieldAbout {
  /** As of an input: `application/pdf`, `.pem`. */
  readonly accept: string
  readonly maxBytes: number
  readonly file: File | null
  readonly onFile: (file: File | null) => void
}

/** A file, chosen or dropped. What does not fit is refused here, in words. */
export function FileDrop({ accept, maxBytes, file, onFile, problem, ...about }: FileDropProps): ReactNode {
  const words = useUiWords().desk.drop
  const { language } = useLanguage()
  const [refused, setRefused] = useState<string>()
  const [isOver, setOver] = useState(false)
  const [times, setTimes] = useState(0)
  const take = (given: File | undefined): void => {
    setOver(false)
    // A new input: the old one would keep the name of its file.
    setTimes(times + 1)
    if (given === undefined) return
    const why = whyRefused(given, accept, maxBytes)
    setRefused(why === null ? undefined : why === 'kind' ? words.kind : words.tooLarge(formatBytes(language, maxBytes)))
    if (why === null) onFile(given)
  }
  const drop = {
    onDragOver: (event: DragEvent) => {
      event.preventDefault()
      setOver(true)
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault()
      take(event.dataTransfer.files[0])
    },
  }
  return (
    <Field {...about} problem={refused ?? problem}>
      {(ties) => (
        <div className={isOver ? `${classes.drop} ${classes.over}` : classes.drop} {...drop}>
          <FileUp size={18} aria-hidden />
          <p>{file === null ? words.here : `${file.name}, ${formatBytes(language, file.size)}`}</p>
          <input
            {...ties}
            key={times}
            type="file"
            accept={accept}
            onChange={(event) => take(event.currentTarget.files?.[0])}
          />
        </div>
      )}
    </Field>
  )
}

/** The browser does not hold back what is dropped, and not everything that is chosen. */
export function whyRefused(
  { name, type, size }: Pick<File, 'name' | 'type' | 'size'>,
  accept: string,
  maxBytes: number,
): 'kind' | 'size' | null {
  const kinds = accept.split(',').map((kind) => kind.trim().toLowerCase())
  const isKind = kinds.some((kind) => {
    if (kind.startsWith('.')) return name.toLowerCase().endsWith(kind)
    return kind.endsWith('/*') ? type.startsWith(kind.slice(0, -1)) : type === kind
  })
  if (accept !== '' && !isKind) return 'kind'
  return size > maxBytes ? 'size' : null
}
