import { Page, Row, Rows, Seal, Section } from '@sealpost/ui'
import { Fingerprint, Link2, ListChecks, PenLine } from 'lucide-react'
import type { ReactNode } from 'react'
import { href } from '../../routes.ts'
import { useOpenSession } from '../../shell/session.ts'
import { useRead } from '../../shell/use-read.ts'
import { useWords } from '../../words/index.ts'
import type { ConnectionView, InvitationView } from '../../worker/commands/connections.ts'
import type { RunRow } from '../../worker/commands/flows.ts'
import type { ThreadHeadView } from '../../worker/commands/messages.ts'
import type { PaperView } from '../../worker/commands/papers.ts'
import { RunLine } from '../flows/run-line.tsx'
import { isWaiting } from '../flows/run-words.ts'
import classes from './home.module.css'

const ICON = { size: 22, strokeWidth: 1.75, className: classes.icon, 'aria-hidden': true } as const

/** What is so, what waits, and what can be done; quiet when nothing waits. */
export default function Home(): ReactNode {
  const words = useWords().home
  const { displayName, unlock } = useOpenSession()
  const connections = useRead('listConnections', 'connections')
  const invitations = useRead('listInvitations', 'connections')
  const fields = useRead('listFields', 'data')
  const papers = useRead('listWaitingPapers', 'papers')
  const threads = useRead('listThreads', 'messages')
  const runs = useRead('listRuns', 'flows')
  const asking = connections.state === 'ready' ? connections.value.filter(isAsking) : []
  const invited = invitations.state === 'ready' ? invitations.value : []
  const asked = papers.state === 'ready' ? papers.value : []
  const unread = threads.state === 'ready' ? threads.value.filter((thread) => thread.unread > 0) : []
  const turns = runs.state === 'ready' ? runs.value.filter(({ state }) => isWaiting(state)) : []
  const waiting = { asking, invited, papers: asked, threads: unread, turns }
  const count = Object.values(waiting).reduce((sum, { length }) => sum + length, 0)
  const isReady = [connections, invitations, papers, threads, runs].every(({ state }) => state !== 'pending')
  const lead =
    isReady && connections.state === 'ready'
      ? `${seenBy(words, connections.value)} ${waitingSentence(words, count)}`
      : undefined
  const hasData = fields.state !== 'ready' || fields.value.some(({ value }) => value !== null)
  return (
    <Page title={words.title(displayName)} lead={lead}>
      {count > 0 ? <Waiting {...waiting} /> : null}
      <Section title={words.next}>
        <Rows label={words.next}>
          {unlock === null ? (
            <Row
              start={<Fingerprint {...ICON} />}
              name={words.setUnlock}
              about={words.setUnlockAbout}
              href={href('unlockSetup')}
            />
          ) : null}
          {hasData ? null : (
            <Row start={<PenLine {...ICON} />} name={words.fillData} about={words.fillDataAbout} href={href('data')} />
          )}
          {runs.state === 'ready' && runs.value.length > 0 ? (
            <Row start={<ListChecks {...ICON} />} name={words.forms} about={words.formsAbout} href={href('flows')} />
          ) : null}
          <Row start={<Link2 {...ICON} />} name={words.connect} about={words.connectAbout} href={href('connect')} />
        </Rows>
      </Section>
      <OwnCode />
    </Page>
  )
}

type HomeWords = ReturnType<typeof useWords>['home']

function seenBy(words: HomeWords, connections: readonly ConnectionView[]): string {
  const companies = new Set(
    connections.filter(({ asked }) => asked.some(({ given }) => given !== null)).map(({ companyId }) => companyId),
  )
  return companies.size === 0 ? words.unseen : words.seen(companies.size)
}

function waitingSentence(words: HomeWords, count: number): string {
  return count === 0 ? words.nothingWaits : words.waits(count)
}

function isAsking({ asked }: ConnectionView): boolean {
  return asked.some(({ isPending }) => isPending)
}

interface WaitingProps {
  readonly asking: readonly ConnectionView[]
  readonly invited: readonly InvitationView[]
  readonly papers: readonly PaperView[]
  readonly threads: readonly ThreadHeadView[]
  readonly turns: readonly RunRow[]
}

function Waiting({ asking, invited, papers, threads, turns }: WaitingProps): ReactNode {
  const words = useWords().home
  return (
    <Section title={words.waiting}>
      <Rows label={words.waiting}>
        {papers.map(({ id, connectionId, party, name, status }) => (
          <Row
            key={id}
            start={<Seal name={party?.companyName ?? name} id={party?.companyId ?? id} />}
            name={party?.companyName ?? name}
            about={(status === 'offering' ? words.accepts : words.signs)(name)}
            href={href('paper', { connection: connectionId, paper: id })}
          />
        ))}
        {threads.map((thread) => (
          <Row
            key={thread.connectionId}
            start={<Seal name={thread.companyName} id={thread.companyId} />}
            name={thread.companyName}
            about={words.writes(thread.unread)}
            href={href('thread', { connection: thread.connectionId })}
          />
        ))}
        {turns.map((row) => (
          <RunLine key={row.runId} row={row} />
        ))}
        {asking.map((connection) => (
          <Row
            key={connection.id}
            start={<Seal name={connection.companyName} id={connection.companyId} />}
            name={connection.companyName}
            about={words.asksFor(connection.asked.filter(({ isPending }) => isPending).length)}
            href={href('connection', { connection: connection.id })}
          />
        ))}
        {invited.map((invitation) => (
          <Row
            key={invitation.id}
            start={<Seal name={invitation.companyName} id={invitation.companyId} />}
            name={invitation.companyName}
            about={invitation.message ?? words.invites(invitation.serviceName)}
            href={`${offerOf(invitation.code)}?invitation=${invitation.id}`}
          />
        ))}
      </Rows>
    </Section>
  )
}

function offerOf(code: string): string {
  const [company = '', service = ''] = code.split('/')
  return href('offer', { company, service })
}

function OwnCode(): ReactNode {
  const words = useWords().home
  const { shareCode } = useOpenSession()
  return (
    <section className={classes.code}>
      <h2>{words.code}</h2>
      <p className={classes.letters} translate="no">
        {shareCode}
      </p>
      <p>{words.codeAbout}</p>
    </section>
  )
}
