import { Button, Field } from '@sealpost/ui'
import { onChanged, Problem, useAct } from '@sealpost/web-app'
import { SendHorizontal } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { call } from '../../shell/worker.ts'
import { useWords } from '../../words/index.ts'
import type { DraftView } from '../../worker/commands/messages.ts'
import classes from './messages.module.css'

/** A sealed copy has at most 64 KiB: a third more than the text, and some bytes for its key. */
const MOST_BYTES = 45_000

/** Where the person writes. Every letter is kept on this device, sealed, until the message is sent. */
export function Compose({ connectionId }: { readonly connectionId: string }): ReactNode {
  const words = useWords().messages.thread
  const [draft, setDraft] = useDraft(connectionId)
  const act = useAct()
  if (draft === null) return null
  const isTooLong = new TextEncoder().encode(draft.text).length > MOST_BYTES
  const write = (text: string): void => {
    setDraft({ ...draft, text })
    void call('saveDraft', { connectionId, key: draft.key, text })
  }
  const send = async (): Promise<void> => {
    const text = draft.text.trim()
    if (text === '' || isTooLong) return
    const isKept = await act.run(() => call('sendMessage', { connectionId, key: draft.key, text }))
    if (isKept) setDraft({ key: crypto.randomUUID(), text: '' })
  }
  return (
    <form
      className={classes.compose}
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <Problem failure={act.failure} />
      <div className={classes.writing}>
        <Field label={words.write} problem={isTooLong ? words.tooLong : undefined}>
          {(ties) => <Growing ties={ties} value={draft.text} onValue={write} onSend={() => void send()} />}
        </Field>
        <Button type="submit" look="main" aria-label={words.send} disabled={act.isBusy || draft.text.trim() === ''}>
          <SendHorizontal size={20} aria-hidden />
        </Button>
      </div>
    </form>
  )
}

/** What is being written here; a message that was taken back is a draft with another key. */
function useDraft(connectionId: string) {
  const [draft, setDraft] = useState<DraftView | null>(null)
  useEffect(() => {
    let isLeft = false
    const read = async (): Promise<void> => {
      const stored = await call('readDraft', connectionId)
      if (isLeft) return
      setDraft((shown) => (shown === null || (stored.text !== '' && stored.key !== shown.key) ? stored : shown))
    }
    // A locked account has no drafts, and no place to write.
    const readAgain = (): void => void read().catch(() => {})
    readAgain()
    const stop = onChanged((topics) => {
      if (topics.includes('messages')) readAgain()
    })
    return () => {
      isLeft = true
      stop()
    }
  }, [connectionId])
  return [draft, setDraft] as const
}

/** As tall as what is written. Enter makes a line, Ctrl and Enter send. */
function Growing({
  ties,
  value,
  onValue,
  onSend,
}: {
  readonly ties: object
  readonly value: string
  readonly onValue: (text: string) => void
  readonly onSend: () => void
}): ReactNode {
  const area = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    const shown = area.current
    if (shown === null) return
    shown.style.blockSize = 'auto'
    shown.style.blockSize = `${shown.scrollHeight + 2}px`
  }, [value])
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    onSend()
  }
  return (
    <textarea
      {...ties}
      ref={area}
      className={classes.area}
      rows={1}
      value={value}
      onChange={(event) => onValue(event.currentTarget.value)}
      onKeyDown={onKeyDown}
    />
  )
}
