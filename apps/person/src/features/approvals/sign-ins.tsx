import { Button, Empty, formatDay, Page, Quiet, Row, Rows, Seal, Section, useLanguage } from '@sealpost/ui'
import { nowMs, Problem, Shown, useAct } from '@sealpost/web-app'
import type { ReactNode } from 'react'
import { href } from '../../routes.ts'
import { call, useRead } from '../../shell/worker.ts'
import { useWords } from '../../words/index.ts'
import type { EnrollmentView } from '../../worker/commands/approvals.ts'
import { postponed } from './postponed.ts'

/** Which companies ask this person, and what was put off. */
export default function SignIns(): ReactNode {
  const { approvals, settings } = useWords()
  const words = approvals.page
  const enrollments = useRead('listEnrollments', 'approvals')
  return (
    <Page title={words.title} lead={words.lead} back={{ href: href('settings'), label: settings.title }}>
      <Waiting />
      <Shown of={enrollments}>{(rows) => <Companies rows={rows} />}</Shown>
    </Page>
  )
}

function Waiting(): ReactNode {
  const words = useWords().approvals
  const cards = useRead('listCards', 'approvals')
  if (cards.state === 'failed') return <Problem failure={cards.failure} onAgain={cards.again} />
  if (cards.state !== 'ready' || cards.value.length === 0) return null
  const { waiting, answer, answerName } = words.page
  return (
    <Section title={waiting}>
      <Rows label={waiting}>
        {cards.value.map((card) => (
          <Row
            key={card.id}
            start={<Seal name={card.companyName} id={card.companyId} />}
            name={words.ask(card.companyName)}
            about={card.reason ?? card.serviceName}
            end={
              <Button aria-label={answerName(card.companyName)} onClick={() => postponed.remove(card.id)}>
                {answer}
              </Button>
            }
          />
        ))}
      </Rows>
    </Section>
  )
}

function Companies({ rows }: { readonly rows: readonly EnrollmentView[] }): ReactNode {
  const words = useWords().approvals.page
  const { language } = useLanguage()
  if (rows.length === 0) return <Empty>{words.empty}</Empty>
  return (
    <Section title={words.companies}>
      <Rows label={words.companies}>
        {rows.map((row) => (
          <Row
            key={row.serviceId}
            start={<Seal name={row.companyName} id={row.companyId} />}
            name={row.companyName}
            about={words.since(row.serviceName, formatDay(language, row.since, nowMs()))}
            end={<Revoke enrollment={row} />}
          />
        ))}
      </Rows>
      <Quiet>{words.revokeAbout}</Quiet>
    </Section>
  )
}

function Revoke({ enrollment }: { readonly enrollment: EnrollmentView }): ReactNode {
  const words = useWords().approvals.page
  const act = useAct()
  return (
    <>
      <Problem failure={act.failure} />
      <Button
        look="danger"
        aria-label={words.revokeName(enrollment.companyName)}
        busy={act.isBusy ? words.revoking : null}
        onClick={() => void act.run(() => call('revokeEnrollment', enrollment.serviceId))}
      >
        {words.revoke}
      </Button>
    </>
  )
}
