import { Button, ButtonLink, Empty, formatWhen, Page, Row, Rows, Tag } from '@sealpost/ui'
import { Fingerprint, KeyRound, Monitor } from 'lucide-react'
import type { ReactNode } from 'react'
import { href } from '../../routes.ts'
import { nowMs } from '../../shell/clock.ts'
import { Problem } from '../../shell/problem.tsx'
import { useOpenSession } from '../../shell/session.ts'
import { Shown } from '../../shell/shown.tsx'
import { useAct } from '../../shell/use-act.ts'
import { useRead } from '../../shell/use-read.ts'
import { call } from '../../shell/worker-client.ts'
import { useLanguage, useWords } from '../../words/index.ts'
import type { DeviceView } from '../../worker/commands/devices.ts'

const ICON = { size: 22, strokeWidth: 1.75, 'aria-hidden': true } as const
const ICONS: Readonly<Record<DeviceView['kind'], ReactNode>> = {
  passkey: <Fingerprint {...ICON} />,
  device_key: <KeyRound {...ICON} />,
  browser: <Monitor {...ICON} />,
}

export default function Devices(): ReactNode {
  const { settings } = useWords()
  const words = settings.devicesPage
  const { unlock } = useOpenSession()
  const devices = useRead('listDevices', 'devices')
  const setUp = <ButtonLink href={href('unlockSetup')}>{words.add}</ButtonLink>
  return (
    <Page title={words.title} lead={words.lead} back={{ href: href('settings'), label: settings.title }}>
      <Shown of={devices}>
        {(all) =>
          all.length === 0 ? (
            <Empty act={setUp}>{words.empty}</Empty>
          ) : (
            <>
              <Rows label={words.title}>
                {all.map((device) => (
                  <Device key={device.id} device={device} />
                ))}
              </Rows>
              {unlock === null ? <div>{setUp}</div> : null}
            </>
          )
        }
      </Shown>
    </Page>
  )
}

function Device({ device }: { readonly device: DeviceView }): ReactNode {
  const words = useWords().settings.devicesPage
  const { language } = useLanguage()
  const act = useAct()
  const { id, kind, name, lastSeenAt, isThis } = device
  return (
    <Row
      start={ICONS[kind]}
      name={name}
      about={
        <>
          {words.kinds[kind]}, {words.seen(formatWhen(language, lastSeenAt, nowMs()))}
          <Problem failure={act.failure} />
        </>
      }
      end={
        <>
          {isThis ? <Tag>{words.this}</Tag> : null}
          <Button
            look="danger"
            aria-label={words.removeName(name)}
            busy={act.isBusy ? words.removing : null}
            onClick={() => void act.run(() => call('removeDevice', id))}
          >
            {words.remove}
          </Button>
        </>
      }
    />
  )
}
