import { ButtonLink, Empty, formatWhen, Unseen, useLanguage, useUiWords } from '@sealpost/ui'
import { type Column, DeskPage, DeskSection, Keys, Slow, Table } from '@sealpost/ui/desk'
import { nowMs, Problem } from '@sealpost/web-app'
import type { ReactNode } from 'react'
import { href } from '../../routes.ts'
import { useMay } from '../../shell/acting.tsx'
import { useRead } from '../../shell/worker.ts'
import type { Words } from '../../words/en/index.ts'
import { useWords } from '../../words/index.ts'
import type { Need } from '../../worker/commands/attention.ts'
import type { ServiceView } from '../../worker/commands/services.ts'
import { AccountFacts } from './account-facts.tsx'
import { LatestAudit } from './latest-audit.tsx'
import classes from './home.module.css'

/** What has failed or waits comes first; what runs by itself stands below it, quietly. */
export default function Home(): ReactNode {
  const words = useWords().home
  const keys = useUiWords().desk.findKeys
  const may = useMay()
  const needs = useRead('listNeeds', 'attention')
  const shown = needs.state === 'ready' ? needs.value : null
  return (
    <DeskPage
      title={shown === null ? words.place : titleOf(words, shown)}
      lead={shown === null ? undefined : leadOf(words, shown)}
    >
      {needs.state === 'failed' ? <Problem failure={needs.failure} onAgain={needs.again} /> : null}
      {needs.state === 'pending' ? <Slow>{words.needs}</Slow> : null}
      {shown === null || shown.length === 0 ? null : <Needs needs={shown} />}
      <div className={classes.below}>
        <div className={classes.main}>
          <Services />
          {may.manageAccount ? <LatestAudit /> : null}
        </div>
        <div className={classes.aside}>
          <AccountFacts />
          <p className={classes.keys}>
            <Keys>{keys}</Keys> {words.keys}
          </p>
        </div>
      </div>
    </DeskPage>
  )
}

function titleOf(words: Words['home'], needs: readonly Need[]): string {
  const failed = needs.filter(({ isFailed }) => isFailed).length
  if (failed > 0) return words.failed(failed)
  return needs.length === 0 ? words.calm : words.waits(needs.length)
}

function leadOf(words: Words['home'], needs: readonly Need[]): string | undefined {
  if (needs.length === 0) return words.calmLead
  const failed = needs.filter(({ isFailed }) => isFailed).length
  const others = failed === 0 || failed === needs.length ? [] : [words.alsoWaits(needs.length - failed)]
  const more = needs.some(({ isAtLeast }) => isAtLeast) ? [words.atLeast] : []
  return others.length + more.length === 0 ? undefined : [...others, ...more].join(' ')
}

function Needs({ needs }: { readonly needs: readonly Need[] }): ReactNode {
  const words = useWords().home
  return (
    <section aria-label={words.needs}>
      <ol className={classes.needs}>
        {needs.map((need, at) => (
          <NeedLine key={`${need.kind} ${need.serviceId}`} need={need} isFirst={at === 0} />
        ))}
      </ol>
    </section>
  )
}

function NeedLine({ need, isFirst }: { readonly need: Need; readonly isFirst: boolean }): ReactNode {
  const words = useWords().home
  const { language } = useLanguage()
  const { kind, serviceId, serviceName, count, isFailed, since } = need
  const { verb, rest } = words.acts[kind](count)
  const mayOpen = useMay().openValues
  return (
    <li className={isFailed ? classes.failed : undefined}>
      <span className={isFailed ? classes.lozenge : classes.ring}>
        <Unseen>{isFailed ? words.isFailed : words.isWaiting}</Unseen>
      </span>
      <p className={classes.act}>
        <b>{verb}</b> {rest} <span className={classes.service}>{serviceName}</span>
      </p>
      <p className={classes.why}>{words.why[kind]}</p>
      <span className={classes.since}>{words.since(formatWhen(language, since, nowMs()))}</span>
      {mayOpen && isInRuns(need) ? (
        <ButtonLink look={isFirst ? 'main' : 'plain'} href={href('runs', { service: serviceId })}>
          {words.open}
        </ButtonLink>
      ) : null}
    </li>
  )
}

/** For the others there is no page yet. */
function isInRuns({ kind }: Need): boolean {
  return kind === 'run_awaits' || kind === 'signature_awaits'
}

function Services(): ReactNode {
  const words = useWords()
  const services = useRead('listServices', 'services')
  const may = useMay()
  const columns: readonly Column<ServiceView>[] = [
    { key: 'name', title: words.services.name, cell: ({ name }) => name },
    {
      key: 'code',
      title: words.services.code,
      width: 'medium',
      cell: ({ code }) => <code translate="no">{code}</code>,
    },
  ]
  return (
    <DeskSection
      title={words.home.services}
      acts={
        may.manageAccount ? (
          <a href={href('newService')}>{words.services.make}</a>
        ) : (
          <a href={href('services')}>{words.home.allServices}</a>
        )
      }
    >
      {services.state === 'failed' ? (
        <Problem failure={services.failure} onAgain={services.again} />
      ) : (
        <Table<ServiceView>
          label={words.home.services}
          columns={columns}
          rows={services.state === 'ready' ? services.value : null}
          keyOf={({ id }) => id}
          nameOf={({ name }) => name}
          hrefOf={({ id }) => href('service', { service: id })}
          empty={<Empty>{words.services.empty}</Empty>}
        />
      )}
    </DeskSection>
  )
}
