import { DeskPage } from '@sealpost/ui/desk'
import { Shown } from '@sealpost/web-app'
import { LockKeyhole, LockKeyholeOpen } from 'lucide-react'
import type { ReactNode } from 'react'
import { href } from '../../routes.ts'
import { useRead } from '../../shell/worker.ts'
import { useWords } from '../../words/index.ts'
import type { ServiceView } from '../../worker/commands/services.ts'

const TABS = [
  { tab: 'overview', route: 'service' },
  { tab: 'fields', route: 'serviceFields' },
  { tab: 'api', route: 'serviceApi' },
  { tab: 'key', route: 'serviceKey' },
  { tab: 'runs', route: 'runs' },
] as const

export type ServiceTab = (typeof TABS)[number]['tab']

/** The head of every page of a service: which one it is, whether its key is open here, and the way to its other pages. */
export function ServicePage({
  serviceId,
  here,
  lead,
  acts,
  children,
}: {
  readonly serviceId: string
  readonly here: ServiceTab
  readonly lead?: ReactNode
  readonly acts?: ReactNode
  readonly children: (service: ServiceView) => ReactNode
}): ReactNode {
  const { service: words, services } = useWords()
  const service = useRead('readService', 'services', serviceId)
  const key = useRead('serviceKeyState', 'key')
  const isOpen = key.state === 'ready' && key.value?.serviceId === serviceId
  const facts =
    service.state === 'ready'
      ? [
          <span key="code">
            {words.code} <code translate="no">{service.value.code}</code>
          </span>,
          <span key="key">
            {isOpen ? <LockKeyholeOpen size={14} aria-hidden /> : <LockKeyhole size={14} aria-hidden />}{' '}
            {isOpen ? words.keyOpen : words.keyClosed}
          </span>,
        ]
      : []
  const tabs = TABS.map(({ tab, route }) => ({
    name: words.tabs[tab],
    href: href(route, { service: serviceId }),
    isHere: tab === here,
  }))
  return (
    <DeskPage
      title={service.state === 'ready' ? service.value.name : words.title}
      lead={lead}
      crumbs={[{ href: href('services'), name: services.title }]}
      facts={facts}
      tabs={tabs}
      {...(acts === undefined ? {} : { acts })}
    >
      <Shown of={service}>{children}</Shown>
    </DeskPage>
  )
}
