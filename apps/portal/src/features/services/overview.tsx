import { ButtonLink, formatDay, Quiet, useLanguage } from '@sealpost/ui'
import { DeskSection } from '@sealpost/ui/desk'
import { nowMs } from '@sealpost/web-app'
import type { ReactNode } from 'react'
import { href } from '../../routes.ts'
import type { PageProps } from '../../shell/app.tsx'
import { useWords } from '../../words/index.ts'
import { KeyFile } from '../keys/key-file.tsx'
import { ServicePage } from './service-page.tsx'
import { ShareCard } from './share-card.tsx'

/** What the service is, how customers come to it, and its key file. */
export default function Overview({ params }: PageProps): ReactNode {
  const words = useWords().service
  const { language } = useLanguage()
  const serviceId = params['service'] ?? ''
  return (
    <ServicePage serviceId={serviceId} here="overview">
      {(service) => (
        <>
          <ShareCard service={service} />
          <KeyFile serviceId={serviceId} name={service.name} />
          <DeskSection
            title={words.ending.title}
            acts={
              <ButtonLink look="danger" href={href('deleteService', { service: serviceId })}>
                {words.ending.act}
              </ButtonLink>
            }
          >
            <Quiet>{words.ending.lead}</Quiet>
          </DeskSection>
          <Quiet>{words.madeOn(formatDay(language, service.createdAt, nowMs()))}</Quiet>
        </>
      )}
    </ServicePage>
  )
}
