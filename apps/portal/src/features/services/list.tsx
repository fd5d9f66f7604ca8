import { Empty, formatDay, Page, Row, Rows, useLanguage } from '@sealpost/ui'
import { nowMs, Shown } from '@sealpost/web-app'
import type { ReactNode } from 'react'
import { href } from '../../routes.ts'
import { useRead } from '../../shell/worker.ts'
import { useWords } from '../../words/index.ts'

export default function Services(): ReactNode {
  const words = useWords().services
  const { language } = useLanguage()
  const services = useRead('listServices', 'services')
  return (
    <Page title={words.title} lead={words.lead} isWide>
      <Shown of={services}>
        {(read) =>
          read.length === 0 ? (
            <Empty>{words.empty}</Empty>
          ) : (
            <Rows label={words.title}>
              {read.map(({ id, name, code, createdAt }) => (
                <Row
                  key={id}
                  name={name}
                  about={`${code} · ${words.made} ${formatDay(language, createdAt, nowMs())}`}
                  href={href('runs', { service: id })}
                />
              ))}
            </Rows>
          )
        }
      </Shown>
    </Page>
  )
}
