import { navigate } from '@sealpost/ui'
import { Shown, TearOffPage } from '@sealpost/web-app'
import type { ReactNode } from 'react'
import { href } from '../../routes.ts'
import type { PageProps } from '../../shell/app.tsx'
import { call, useRead } from '../../shell/worker.ts'
import { useWords } from '../../words/index.ts'

/** What goes, and what stays, before the act. */
export default function DeleteService({ params }: PageProps): ReactNode {
  const words = useWords().service.ending
  const serviceId = params['service'] ?? ''
  const service = useRead('readService', 'services', serviceId)
  return (
    <Shown of={service}>
      {({ name }) => (
        <TearOffPage
          title={words.question(name)}
          back={{ href: href('service', { service: serviceId }), label: name }}
          whatFollows={words.whatFollows}
          follows={words.follows}
          words={{ act: words.delete(name), busy: words.busy, keep: words.keep }}
          onAct={async () => {
            await call('deleteService', serviceId)
            navigate(href('services'), { replace: true })
          }}
        />
      )}
    </Shown>
  )
}
