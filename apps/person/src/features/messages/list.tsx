import { ButtonLink, Empty, formatWhen, Page, Row, Rows, Seal, Tag, useLanguage } from '@sealpost/ui'
import { nowMs, Shown } from '@sealpost/web-app'
import type { ReactNode } from 'react'
import { href } from '../../routes.ts'
import { InboxLinks } from '../../shell/inbox-links.tsx'
import { useRead } from '../../shell/worker.ts'
import { useWords } from '../../words/index.ts'
import type { ThreadHeadView } from '../../worker/commands/messages.ts'
import classes from './messages.module.css'

/** One thread for each company that the person is connected to. */
export default function Messages(): ReactNode {
  const words = useWords().messages
  const threads = useRead('listThreads', 'messages')
  const unread = threads.state === 'ready' ? threads.value.reduce((sum, thread) => sum + thread.unread, 0) : null
  return (
    <Page title={words.title} lead={unread === null ? undefined : words.lead(unread)}>
      <InboxLinks />
      <Shown of={threads}>{(heads) => <Threads heads={heads} />}</Shown>
    </Page>
  )
}

function Threads({ heads }: { readonly heads: readonly ThreadHeadView[] }): ReactNode {
  const words = useWords().messages
  if (heads.length === 0)
    return <Empty act={<ButtonLink href={href('connect')}>{words.connect}</ButtonLink>}>{words.empty}</Empty>
  return (
    <Rows label={words.title}>
      {heads.map((head) => (
        <Row
          key={head.connectionId}
          start={<Seal name={head.companyName} id={head.companyId} />}
          name={head.companyName}
          about={<Newest head={head} />}
          end={head.unread === 0 ? null : <span className={classes.unread}>{words.unread(head.unread)}</span>}
          href={href('thread', { connection: head.connectionId })}
        />
      ))}
    </Rows>
  )
}

function Newest({ head }: { readonly head: ThreadHeadView }): ReactNode {
  const words = useWords().messages
  const { language } = useLanguage()
  const { newest, outgoing, hasDraft } = head
  const text = newest === null ? words.none : (newest.text ?? words.unopened)
  return (
    <>
      <span className={classes.newest}>{newest?.isOwn === true ? words.you(text) : text}</span>
      {newest === null ? null : <span>{formatWhen(language, newest.at, nowMs())} </span>}
      {outgoing > 0 ? <Tag>{words.onItsWay}</Tag> : null}
      {hasDraft ? <Tag>{words.draft}</Tag> : null}
    </>
  )
}
