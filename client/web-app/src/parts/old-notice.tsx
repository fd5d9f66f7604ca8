import { Button, formatWhen, Notice, useLanguage, useUiWords } from '@sealpost/ui'
import { type ReactNode, use, useSyncExternalStore } from 'react'
import { nowMs } from '../browser/clock.ts'
import { ReadsContext } from '../reads/use-read.ts'
import { useWebAppWords } from '../words/index.ts'
import { problemText } from './problem-text.ts'

/** On top of every page: something that it shows could not be read again. */
export function OldNotice(): ReactNode {
  const { refusals, shell } = useWebAppWords()
  const { language } = useLanguage()
  const ui = useUiWords()
  const reads = use(ReadsContext)
  const old = useSyncExternalStore(reads.onOld, reads.old, reads.old)
  if (old === null) return null
  const when = formatWhen(language, new Date(old.sinceMs).toISOString(), nowMs())
  return (
    <Notice
      kind="wait"
      what={shell.old(when)}
      next={problemText(refusals, ui, old.failure).what}
      act={<Button onClick={old.again}>{ui.failure.again}</Button>}
    />
  )
}
