import { Page, Row, Rows, Seal, Section } from '@sealpost/ui'
import { Fingerprint, Link2, PenLine } from 'lucide-react'
import type { ReactNode } from 'react'
import { href } from '../../routes.ts'
import { useOpenSession } from '../../shell/session.ts'
import { useRead } from '../../shell/use-read.ts'
import { useWords } from '../../words/index.ts'
import type { ConnectionView, InvitationView } from '../../worker/commands/connections.ts'
import classes from './home.module.css'

const ICON = { size: 22, strokeWidth: 1.75, className: classes.icon, 'aria-hidden': true } as const

/** What is so, what waits, and what can be done; quiet when nothing waits. */
export default function Home(): ReactNode {
  const words = useWords().home
  const { displayName, unlock } = useOpenSession()
  const connections = useRead('listConnections', 'connections')
  const invitations = useRead('listInvitations', 'connections')
  const fields = useRead('listFields', 'data')
  const asking = connections.state === 'ready' ? connections.value.filter(isAsking) : []
  const invited = invitations.state === 'ready' ? invitations.value : []
  const isReady = connections.state === 'ready' && invitations.state === 'ready'
  const lead = isReady
    ? `${seenBy(words, connections.value)} ${waitingSentence(words, asking.length + invited.length)}`
    : undefined
  const hasData = fields.state !== 'ready' || fields.value.some(({ value }) => value !== null)
  return (
    <Page title={words.title(displayName)} lead={lead}>
      {asking.length + invited.length > 0 ? <Waiting asking={asking} invited={invited} /> : null}
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

function Waiting({
  asking,
  invited,
}: {
  readonly asking: readonly ConnectionView[]
  readonly invited: readonly InvitationView[]
}): ReactNode {
  const words = useWords().home
  return (
    <Section title={words.waiting}>
      <Rows label={words.waiting}>
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
