import { useProof } from '@sealpost/session'
import { Brand, Button, Buttons, type Failure, failureOf, Form, formatTime, Seal, useLanguage } from '@sealpost/ui'
import { Problem, useAct } from '@sealpost/web-app'
import { Fingerprint } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { call } from '../../shell/worker.ts'
import { useWords } from '../../words/index.ts'
import type { CardView } from '../../worker/commands/approvals.ts'
import { Digits } from './digits.tsx'
import { showLeft } from './time-left.ts'
import { useTimeLeft } from './use-time-left.ts'
import classes from './card.module.css'

export type Outcome = 'approved' | 'denied' | 'reported' | 'wrong' | 'expired'

export interface CardProps {
  readonly card: CardView
  /** The answer is on its way; the card stays although the platform may take it from the list. */
  readonly onSending: (isSending: boolean) => void
  readonly onEnded: (outcome: Outcome) => void
  /** Why the card may be gone when the platform is asked again. */
  readonly onSuspected: (outcome: Outcome) => void
}

type Answer = 'approve' | 'deny' | 'report'
const OUTCOMES = { approve: 'approved', deny: 'denied', report: 'reported' } as const

/** The platform ends a request at the third wrong number. */
const TRIES = 3

/** Is this you signing in there? */
export function Card(props: CardProps): ReactNode {
  const { card, onSuspected } = props
  const words = useWords().approvals
  const { failure, sending, send } = useSending(props)
  return (
    <div className={classes.screen}>
      <header className={classes.top}>
        <Brand />
        <TimeLeft card={card} onSuspected={onSuspected} />
      </header>
      <div>
        <Asked card={card} />
        <div className={classes.answer}>
          <Approve card={card} failure={failure} sending={sending} send={send} />
        </div>
      </div>
      <footer className={classes.after}>
        <button
          className={classes.link}
          type="button"
          disabled={sending !== null}
          onClick={() => void send('report', () => call('reportCard', card.id))}
        >
          {sending === 'report' ? words.reporting : words.notMe}
        </button>
        <p>{words.notMeAbout}</p>
      </footer>
    </div>
  )
}

interface Sending {
  readonly failure: Failure | null
  readonly sending: Answer | null
  readonly send: (answer: Answer, how: () => Promise<void>) => Promise<void>
}

function useSending({ onSending, onEnded, onSuspected }: CardProps): Sending {
  const [sending, setSending] = useState<Answer | null>(null)
  const wrongTries = useRef(0)
  const act = useAct()
  return {
    failure: act.failure,
    sending,
    send: async (answer, how) => {
      setSending(answer)
      onSending(true)
      const isSent = await act.run(async () => {
        try {
          await how()
        } catch (error) {
          if (isWrongDigits(failureOf(error))) wrongTries.current += 1
          throw error
        }
      })
      if (isSent) onEnded(OUTCOMES[answer])
      else if (wrongTries.current >= TRIES) onSuspected('wrong')
      setSending(null)
      onSending(false)
    },
  }
}

function isWrongDigits(failure: Failure): boolean {
  return failure.kind === 'refused' && failure.key === 'twofa.digits_mismatch'
}

/** Behind the unlock of this device; denying is free. */
function Approve({ card, failure, sending, send }: Sending & { readonly card: CardView }): ReactNode {
  const words = useWords().approvals
  const [digits, setDigits] = useState('')
  const [isTried, setTried] = useState(false)
  const proof = useProof()
  const lacksDigits = card.wantsDigits && digits.length < 2
  const approve = async (): Promise<void> => {
    setTried(true)
    if (lacksDigits) return
    await send('approve', async () => {
      const by = await proof.prove(card.id)
      await call('approveCard', { id: card.id, digits: card.wantsDigits ? digits : null, proof: by })
    })
    setDigits('')
    setTried(false)
    proof.clear()
  }
  return (
    <Form onSend={approve}>
      {card.wantsDigits && proof.canProve ? (
        <Digits
          label={words.digits}
          value={digits}
          onValue={setDigits}
          problem={isTried && lacksDigits ? words.digitsMissing : undefined}
        />
      ) : null}
      {proof.field}
      <Problem failure={failure} />
      <Buttons isStacked>
        {proof.canProve ? (
          <Button
            type="submit"
            look="main"
            icon={proof.isByPasskey ? <Fingerprint size={20} aria-hidden /> : null}
            busy={sending === 'approve' ? words.approving : null}
          >
            {words.approve}
          </Button>
        ) : null}
        <Button
          busy={sending === 'deny' ? words.denying : null}
          onClick={() => void send('deny', () => call('denyCard', card.id))}
        >
          {words.deny}
        </Button>
      </Buttons>
    </Form>
  )
}

function Asked({ card }: { readonly card: CardView }): ReactNode {
  const words = useWords().approvals
  const { language } = useLanguage()
  const { companyName, companyId, serviceName, reason, createdAt } = card
  const time = formatTime(language, createdAt)
  return (
    <div className={classes.stub}>
      <Seal name={companyName} id={companyId} size="large" />
      <h1 id="card-title" tabIndex={-1}>
        {words.ask(companyName)}
      </h1>
      {reason === null ? (
        <p className={classes.said}>{words.noWords(serviceName, time)}</p>
      ) : (
        <div>
          <blockquote className={classes.reason}>
            {reason}
            <p className={classes.said}>{words.words(companyName, time)}</p>
          </blockquote>
        </div>
      )}
    </div>
  )
}

/** Asks the platform when the time is over, and again while it still shows the card. */
const ASK_AGAIN_MS = 5000

function TimeLeft({ card, onSuspected }: Pick<CardProps, 'card' | 'onSuspected'>): ReactNode {
  const words = useWords().approvals
  const leftMs = useTimeLeft(card)
  const overdue = leftMs > 0 ? null : Math.floor(-leftMs / ASK_AGAIN_MS)
  useEffect(() => {
    if (overdue === null) return
    onSuspected('expired')
    void call('readCardsAgain')
  }, [overdue, onSuspected])
  return <span className={classes.left}>{words.ends(showLeft(leftMs))}</span>
}
