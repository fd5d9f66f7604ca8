import { Brand, Button } from '@sealpost/ui'
import { type ReactNode, useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useRead } from '../../shell/worker.ts'
import { useWords } from '../../words/index.ts'
import type { CardView } from '../../worker/commands/approvals.ts'
import { Card, type Outcome } from './card.tsx'
import { postponed } from './postponed.ts'
import classes from './card.module.css'

interface Ended {
  readonly card: CardView
  readonly outcome: Outcome
}

/** Over every page, as soon as a company asks; the page below keeps what was typed in it. */
export default function Cards(): ReactNode {
  const read = useRead('listCards', 'approvals')
  const later = useSyncExternalStore(postponed.subscribe, postponed.get, postponed.get)
  const [sending, setSending] = useState<CardView | null>(null)
  const [ended, setEnded] = useState<Ended | null>(null)
  const [suspected, setSuspected] = useState<Ended | null>(null)
  const cards = read.state === 'ready' ? read.value : []
  const isGone = suspected !== null && read.state === 'ready' && !cards.some(({ id }) => id === suspected.card.id)
  const shownEnd = ended ?? (isGone ? suspected : null)
  const card = sending ?? cards.find(({ id }) => !later.includes(id)) ?? null
  const suspect = useCallback(
    (outcome: Outcome) => setSuspected((known) => known ?? (card === null ? null : { card, outcome })),
    [card],
  )
  if (shownEnd !== null)
    return (
      <Dialog key="ended">
        <After
          {...shownEnd}
          onClose={() => {
            setEnded(null)
            setSuspected(null)
          }}
        />
      </Dialog>
    )
  if (card === null) return null
  return (
    <Dialog key={card.id} onLater={() => postponed.add(card.id)}>
      <Card
        card={card}
        onSending={(isSending) => setSending(isSending ? card : null)}
        onEnded={(outcome) => setEnded({ card, outcome })}
        onSuspected={suspect}
      />
    </Dialog>
  )
}

/** Escape puts the question off; it stays on the page of sign-ins. */
function Dialog({ onLater, children }: { readonly onLater?: () => void; readonly children: ReactNode }): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const shown = dialog.current
    shown?.showModal()
    // Not on a button: a key that was meant for the page below must not answer.
    const first = shown?.querySelector<HTMLElement>('input') ?? shown?.querySelector<HTMLElement>('h1')
    first?.focus()
    return () => shown?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      className={classes.dialog}
      aria-labelledby="card-title"
      // The way to set up this device: the page there must be seen.
      onClick={(event) => {
        if (event.target instanceof Element && event.target.closest('a') !== null) onLater?.()
      }}
      onCancel={(event) => {
        event.preventDefault()
        onLater?.()
      }}
    >
      {children}
    </dialog>
  )
}

function After({ card, outcome, onClose }: Ended & { readonly onClose: () => void }): ReactNode {
  const words = useWords().approvals
  const { title, about } = words.ended[outcome]
  return (
    <div className={classes.screen}>
      <header className={classes.top}>
        <Brand />
      </header>
      <div className={classes.whole}>
        <h1 id="card-title" tabIndex={-1}>
          {title}
        </h1>
        <p role="status">{about(card.companyName)}</p>
        <Button look="main" onClick={onClose}>
          {words.close}
        </Button>
      </div>
    </div>
  )
}
