import { Button, Buttons, Unseen } from '@sealpost/ui'
import { Problem } from '@sealpost/web-app'
import type { ReactNode } from 'react'
import { call } from '../../shell/worker.ts'
import { useWords } from '../../words/index.ts'
import type { OutgoingView } from '../../worker/commands/messages.ts'
import classes from './messages.module.css'

/** A message that the platform does not have yet. */
export function Outgoing({
  message,
  connectionId,
}: {
  readonly message: OutgoingView
  readonly connectionId: string
}): ReactNode {
  const words = useWords().messages.thread
  const { key, text, state, refusal } = message
  return (
    <article className={`${classes.message} ${classes.own} ${classes.leaving}`}>
      <Unseen>{words.own}</Unseen>
      <p className={classes.text}>{text}</p>
      {state === 'sending' ? <p className={classes.about}>{words.sending}</p> : null}
      {state === 'waiting' ? (
        <>
          <p className={classes.about}>{words.waiting}</p>
          <Button onClick={() => void call('sendAgain')}>{words.again}</Button>
        </>
      ) : null}
      {state === 'refused' ? (
        <>
          <Problem failure={refusal} />
          <Buttons>
            <Button onClick={() => void call('takeBack', { connectionId, key })}>{words.takeBack}</Button>
          </Buttons>
        </>
      ) : null}
    </article>
  )
}
