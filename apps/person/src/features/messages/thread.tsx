import { Button, formatDay, formatTime, Page, useLanguage } from '@sealpost/ui'
import { nowMs, Problem, Shown } from '@sealpost/web-app'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { href } from '../../routes.ts'
import type { PageProps } from '../../shell/app.tsx'
import { useRead } from '../../shell/worker.ts'
import { useWords } from '../../words/index.ts'
import type { OutgoingView, ThreadView } from '../../worker/commands/messages.ts'
import { Compose } from './compose.tsx'
import { daysOf } from './days.ts'
import { Message } from './message.tsx'
import { onTheirWay } from './on-their-way.ts'
import { Outgoing } from './outgoing.tsx'
import { useAcknowledge } from './use-acknowledge.ts'
import classes from './messages.module.css'

const AT_ONCE = 50

/** Everything that the person and a company have written to each other, newest at the end. */
export default function Thread({ params }: PageProps): ReactNode {
  const words = useWords().messages
  const connectionId = params['connection'] ?? ''
  const [most, setMost] = useState(AT_ONCE)
  const thread = useRead('readThread', 'messages', { connectionId, most })
  const waiting = useRead('readOutgoing', 'messages', connectionId)
  // What was read before is drawn while more is read.
  const last = useRef<ThreadView | null>(null)
  useEffect(() => {
    if (thread.state === 'ready') last.current = thread.value
  }, [thread])
  const shown = thread.state === 'ready' ? thread.value : thread.state === 'pending' ? last.current : null
  const back = { href: href('messages'), label: words.title }
  if (shown === null)
    return (
      <Page title={words.title} back={back}>
        <Shown of={thread}>{() => null}</Shown>
      </Page>
    )
  return (
    <Page title={shown.companyName} lead={words.thread.lead(shown.serviceName)} back={back}>
      {waiting.state === 'failed' ? <Problem failure={waiting.failure} onAgain={waiting.again} /> : null}
      <Written
        thread={shown}
        outgoing={waiting.state === 'ready' ? onTheirWay(waiting.value, shown) : []}
        connectionId={connectionId}
        onEarlier={() => setMost(most + AT_ONCE)}
      />
      <Compose connectionId={connectionId} />
    </Page>
  )
}

function Written({
  thread,
  outgoing,
  connectionId,
  onEarlier,
}: {
  readonly thread: ThreadView
  readonly outgoing: readonly OutgoingView[]
  readonly connectionId: string
  readonly onEarlier: () => void
}): ReactNode {
  const words = useWords().messages.thread
  const { language } = useLanguage()
  const { messages, companyName } = thread
  const firstNew = useAcknowledge(connectionId, messages)
  const end = useRef<HTMLDivElement>(null)
  const newest = outgoing.at(-1)?.key ?? messages.at(-1)?.id
  useEffect(() => {
    end.current?.scrollIntoView({ block: 'end' })
  }, [newest])
  const day = (at: string): string => formatDay(language, at, nowMs())
  return (
    <>
      {thread.hasEarlier ? <Button onClick={onEarlier}>{words.earlier}</Button> : null}
      {messages.length + outgoing.length === 0 ? <p className={classes.begin}>{words.begin}</p> : null}
      <div className={classes.thread} role="log" aria-label={words.label}>
        {daysOf(messages, day).map((group) => (
          <section key={group.day} className={classes.day} aria-label={group.day}>
            <p className={classes.date}>
              {group.day === day(new Date(nowMs()).toISOString()) ? words.today : group.day}
            </p>
            {group.messages.map((message) => (
              <Message
                key={message.id}
                message={message}
                companyName={companyName}
                isFirstNew={message.id === firstNew}
                time={(at) => formatTime(language, at)}
              />
            ))}
          </section>
        ))}
        {outgoing.map((message) => (
          <Outgoing key={message.key} message={message} connectionId={connectionId} />
        ))}
      </div>
      <div ref={end} className={classes.end} />
    </>
  )
}
