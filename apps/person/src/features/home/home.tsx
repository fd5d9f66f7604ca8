import { useOpenSession } from '@sealpost/session'
import { formatWhen, Page, Row, Rows, Seal, Section, useLanguage } from '@sealpost/ui'
import { nowMs, Problem, type Read, together } from '@sealpost/web-app'
import { Fingerprint, Link2, ListChecks, PenLine } from 'lucide-react'
import type { ReactNode } from 'react'
import { href } from '../../routes.ts'
import { useRead } from '../../shell/worker.ts'
import { useWords } from '../../words/index.ts'
import type { ConnectionView } from '../../worker/commands/connections.ts'
import type { RunRow } from '../../worker/commands/flows.ts'
import { type HomeAct, homeActs, type HomeReads, isComplete } from './acts.ts'
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
  const all = together({ connections, invitations, fields, papers, threads, runs })
  const known: HomeReads = {
    papers: valueOf(papers),
    threads: valueOf(threads),
    runs: valueOf(runs),
    connections: valueOf(connections),
    invitations: valueOf(invitations),
  }
  const acts = homeActs(known)
  const hasData = fields.state !== 'ready' || fields.value.some(({ value }) => value !== null)
  return (
    <Page title={words.title(displayName)} lead={all.state === 'pending' ? undefined : leadOf(words, known, acts)}>
      {all.state === 'failed' ? <Problem failure={all.failure} onAgain={all.again} /> : null}
      {acts.length > 0 ? <Waiting acts={acts} /> : null}
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
          {runs.state !== 'ready' || runs.value.length > 0 ? (
            <Row start={<ListChecks {...ICON} />} name={words.forms} about={words.formsAbout} href={href('flows')} />
          ) : null}
          <Row start={<Link2 {...ICON} />} name={words.connect} about={words.connectAbout} href={href('connect')} />
        </Rows>
      </Section>
      <OwnCode />
    </Page>
  )
}

function valueOf<T>(read: Read<T>): T | null {
  return read.state === 'ready' ? read.value : null
}

type HomeWords = ReturnType<typeof useWords>['home']

/** Only what was read is counted, and nothing waits only when everything was read. */
function leadOf(words: HomeWords, known: HomeReads, acts: readonly HomeAct[]): string {
  const seen = known.connections === null ? [] : [seenBy(words, known.connections)]
  return [...seen, (isComplete(known) ? words.waits : words.waitsAtLeast)(acts.length)].join(' ')
}

function seenBy(words: HomeWords, connections: readonly ConnectionView[]): string {
  const companies = new Set(
    connections.filter(({ asked }) => asked.some(({ given }) => given !== null)).map(({ companyId }) => companyId),
  )
  return words.seen(companies.size)
}

function Waiting({ acts }: { readonly acts: readonly HomeAct[] }): ReactNode {
  const words = useWords().home
  return (
    <Section title={words.waiting}>
      <Rows label={words.waiting}>
        {acts.map((act) => (
          <ActRow key={keyOf(act)} act={act} />
        ))}
      </Rows>
    </Section>
  )
}

function keyOf({ kind, of }: HomeAct): string {
  if (kind === 'form') return of.runId
  return kind === 'messages' ? `messages ${of.connectionId}` : `${kind} ${of.id}`
}

/** What to do comes first, then who asks for it and since when. */
function ActRow({ act: { kind, of } }: { readonly act: HomeAct }): ReactNode {
  const words = useWords().home
  const { language } = useLanguage()
  const when = (at: string): string => formatWhen(language, at, nowMs())
  switch (kind) {
    case 'paper': {
      const { id, connectionId: connection, party, name, status, updatedAt } = of
      const from = party?.companyName ?? name
      return (
        <Row
          start={<Seal name={from} id={party?.companyId ?? id} />}
          name={(status === 'offering' ? words.accept : words.sign)(name)}
          about={words.by(party?.companyName ?? null, when(updatedAt))}
          href={href('paper', { connection, paper: id })}
        />
      )
    }
    case 'messages':
      return (
        <Row
          start={<Seal name={of.companyName} id={of.companyId} />}
          name={words.read(of.unread)}
          about={words.by(of.companyName, of.newest === null ? null : when(of.newest.at))}
          href={href('thread', { connection: of.connectionId })}
        />
      )
    case 'form':
      return (
        <Row
          start={<Seal name={of.companyName} id={of.companyId} />}
          name={formAct(words, of)}
          about={words.by(of.companyName, when(of.updatedAt))}
          href={href('flow', { connection: of.connectionId, run: of.runId })}
        />
      )
    case 'asked':
      return (
        <Row
          start={<Seal name={of.companyName} id={of.companyId} />}
          name={words.decide(of.asked.filter(({ isPending }) => isPending).length)}
          about={words.by(of.companyName, null)}
          href={href('connection', { connection: of.id })}
        />
      )
    case 'invitation':
      return (
        <Row
          start={<Seal name={of.companyName} id={of.companyId} />}
          name={words.answer(of.serviceName)}
          about={words.by(of.companyName, of.message ?? when(of.createdAt))}
          href={`${offerOf(of.code)}?invitation=${of.id}`}
        />
      )
  }
}

function formAct(words: HomeWords, { title, state }: RunRow): string {
  if (state.kind === 'sign') return (state.act === 'sign' ? words.sign : words.accept)(state.name)
  return state.kind === 'make' ? words.make : words.fill(title)
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
