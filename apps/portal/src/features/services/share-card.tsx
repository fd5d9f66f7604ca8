import { ButtonLink, Notice, Quiet } from '@sealpost/ui'
import { CopyButton, DeskSection } from '@sealpost/ui/desk'
import { readPersonAppUrl, Shown } from '@sealpost/web-app'
import { lazy, type ReactNode, Suspense } from 'react'
import { href } from '../../routes.ts'
import { useRead } from '../../shell/worker.ts'
import { useWords } from '../../words/index.ts'
import type { ServiceView } from '../../worker/commands/services.ts'
import { Fingerprint } from '../keys/fingerprint.tsx'
import { connectLink } from './connect-link.ts'
import classes from './share-card.module.css'

const Qr = lazy(() => import('@sealpost/ui/qr/draw'))

/**
 * How customers come to the service. The link says which key it has, so that a platform that exchanges the key at the
 * first contact is found out by the app of the customer: the company gives the link on a channel of its own.
 */
export function ShareCard({ service }: { readonly service: ServiceView }): ReactNode {
  const words = useWords().service.share
  const fingerprint = useRead('readFingerprint', 'key', service.id)
  return (
    <DeskSection title={words.title}>
      <Quiet>{words.lead}</Quiet>
      <Shown of={fingerprint}>
        {(known) =>
          known === null ? (
            <>
              <Code service={service} />
              <Notice
                kind="wait"
                what={words.unknown}
                next={words.unknownNext}
                act={<ButtonLink href={href('serviceKey', { service: service.id })}>{words.toKey}</ButtonLink>}
              />
            </>
          ) : (
            <Card service={service} fingerprint={known} />
          )
        }
      </Shown>
    </DeskSection>
  )
}

function Card({ service, fingerprint }: { readonly service: ServiceView; readonly fingerprint: string }): ReactNode {
  const words = useWords().service.share
  const app = readPersonAppUrl()
  const link = app === null ? null : connectLink(app, service.code, fingerprint)
  return (
    <div className={classes.card}>
      {link === null ? null : (
        <Suspense fallback={<div className={classes.code} />}>
          <div className={classes.code}>
            <Qr text={link} label={words.qr(service.name)} />
          </div>
        </Suspense>
      )}
      <div className={classes.ways}>
        <Code service={service} />
        {link === null ? (
          <Quiet>{words.noApp}</Quiet>
        ) : (
          <div>
            <h3>{words.link}</h3>
            <p className={classes.link} translate="no">
              {link}
            </p>
            <CopyButton text={link} label={words.link} />
          </div>
        )}
        <Fingerprint of={fingerprint} />
        <Quiet>{words.why}</Quiet>
      </div>
    </div>
  )
}

function Code({ service }: { readonly service: ServiceView }): ReactNode {
  const words = useWords().service.share
  return (
    <div>
      <h3>{words.code}</h3>
      <p className={classes.big} translate="no">
        {service.code}
      </p>
      <CopyButton text={service.code} label={words.code} />
    </div>
  )
}
