import { ButtonLink, Empty, formatDay, useLanguage } from '@sealpost/ui'
import { type Column, DeskPage, Table } from '@sealpost/ui/desk'
import { nowMs, Problem } from '@sealpost/web-app'
import { Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { href } from '../../routes.ts'
import { useRead } from '../../shell/worker.ts'
import { useWords } from '../../words/index.ts'
import type { ServiceView } from '../../worker/commands/services.ts'

export default function Services(): ReactNode {
  const words = useWords().services
  const { language } = useLanguage()
  const services = useRead('listServices', 'services')
  const columns: readonly Column<ServiceView>[] = [
    { key: 'name', title: words.name, cell: ({ name }) => name },
    { key: 'code', title: words.code, cell: ({ code }) => <code translate="no">{code}</code> },
    {
      key: 'made',
      title: words.made,
      width: 'medium',
      cell: ({ createdAt }) => formatDay(language, createdAt, nowMs()),
    },
  ]
  const isEmpty = services.state === 'ready' && services.value.length === 0
  const make = (
    <ButtonLink look="main" href={href('newService')} icon={<Plus size={16} aria-hidden />}>
      {words.make}
    </ButtonLink>
  )
  return (
    <DeskPage title={words.title} lead={words.lead} {...(isEmpty ? {} : { acts: make })}>
      {services.state === 'failed' ? (
        <Problem failure={services.failure} onAgain={services.again} />
      ) : (
        <Table
          label={words.title}
          columns={columns}
          rows={services.state === 'ready' ? services.value : null}
          keyOf={({ id }) => id}
          nameOf={({ name }) => name}
          hrefOf={({ id }) => href('service', { service: id })}
          empty={<Empty act={make}>{words.empty}</Empty>}
        />
      )}
    </DeskPage>
  )
}
