import { Empty, formatWhen, Page, Row, Rows, Tag, useLanguage } from '@sealpost/ui'
import { nowMs, Shown, together } from '@sealpost/web-app'
import type { ReactNode } from 'react'
import { href } from '../../routes.ts'
import type { PageProps } from '../../shell/app.tsx'
import { useRead } from '../../shell/worker.ts'
import { useWords } from '../../words/index.ts'

export default function Runs({ params }: PageProps): ReactNode {
  const { runs: words, services } = useWords()
  const { language } = useLanguage()
  const serviceId = params['service'] ?? ''
  const service = useRead('readService', 'services', serviceId)
  const runs = useRead('listRuns', 'runs', serviceId)
  const above = service.state === 'ready' ? service.value.name : undefined
  return (
    <Page
      title={words.title}
      lead={words.lead}
      above={above}
      back={{ href: href('services'), label: services.title }}
      isWide
    >
      <Shown of={together({ service, runs })}>
        {(read) =>
          read.runs.length === 0 ? (
            <Empty>{words.empty}</Empty>
          ) : (
            <Rows label={words.title}>
              {read.runs.map(({ id, flowId, flowName, state, updatedAt }) => (
                <Row
                  key={id}
                  name={flowName}
                  about={`${words.changed} ${formatWhen(language, updatedAt, nowMs())}`}
                  end={<Tag>{words.states[state]}</Tag>}
                  href={href('run', { service: serviceId, flow: flowId, run: id })}
                />
              ))}
            </Rows>
          )
        }
      </Shown>
    </Page>
  )
}
