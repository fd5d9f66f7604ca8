import { Empty, formatWhen, Row, Rows, Tag, useLanguage } from '@sealpost/ui'
import { nowMs, Shown } from '@sealpost/web-app'
import type { ReactNode } from 'react'
import { href } from '../../routes.ts'
import type { PageProps } from '../../shell/app.tsx'
import { useRead } from '../../shell/worker.ts'
import { useWords } from '../../words/index.ts'
import { ServicePage } from '../services/service-page.tsx'

export default function Runs({ params }: PageProps): ReactNode {
  const { runs: words } = useWords()
  const { language } = useLanguage()
  const serviceId = params['service'] ?? ''
  const runs = useRead('listRuns', 'runs', serviceId)
  return (
    <ServicePage serviceId={serviceId} here="runs" lead={words.lead}>
      {() => (
        <Shown of={runs}>
          {(read) =>
            read.length === 0 ? (
              <Empty>{words.empty}</Empty>
            ) : (
              <Rows label={words.title}>
                {read.map(({ id, flowId, flowName, state, updatedAt }) => (
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
      )}
    </ServicePage>
  )
}
