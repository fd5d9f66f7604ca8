import { Tag, Unseen } from '@sealpost/ui'
import type { ReactNode } from 'react'
import { useWords } from '../../words/index.ts'
import type { MessageView } from '../../worker/commands/messages.ts'
import classes from './messages.module.css'

export function Message({
  message,
  companyName,
  isFirstNew,
  time,
}: {
  readonly message: MessageView
  readonly companyName: string
  readonly isFirstNew: boolean
  readonly time: (at: string) => string
}): ReactNode {
  const words = useWords().messages
  const { isOwn, isBroadcast, text, at, readAt } = message
  const receipt = readAt === null ? words.thread.sent(time(at)) : words.thread.read(time(readAt))
  return (
    <>
      {isFirstNew ? <p className={classes.newHere}>{words.thread.newHere}</p> : null}
      <article className={isOwn ? `${classes.message} ${classes.own}` : classes.message}>
        <Unseen>{isOwn ? words.thread.own : companyName}</Unseen>
        {isBroadcast ? <Tag>{words.thread.broadcast}</Tag> : null}
        <p className={text === null ? classes.unopened : classes.text}>{text ?? words.unopened}</p>
        <p className={classes.about}>{isOwn ? receipt : time(at)}</p>
      </article>
    </>
  )
}
