import {
  Button,
  ButtonLink,
  Empty,
  Form,
  formatWhen,
  Page,
  Row,
  Rows,
  Section,
  Tag,
  TextField,
  useLanguage,
} from '@sealpost/ui'
import { nowMs, Problem, Shown, together, useAct } from '@sealpost/web-app'
import { AppWindow, Fingerprint, KeyRound, Monitor } from 'lucide-react'
import { type MouseEvent, type ReactNode, useState } from 'react'
import { call, useRead } from '../commands.ts'
import { deviceName } from '../device/device-name.ts'
import { useOpenSession } from '../device/session.ts'
import { href } from '../routes.ts'
import { useSessionWords } from '../words/index.ts'
import type { DeviceView, SessionView } from '../worker/commands/devices.ts'

const ICON = { size: 22, strokeWidth: 1.75, 'aria-hidden': true } as const
const ICONS: Readonly<Record<DeviceView['kind'], ReactNode>> = {
  passkey: <Fingerprint {...ICON} />,
  device_key: <KeyRound {...ICON} />,
  browser: <Monitor {...ICON} />,
}

/** What was set up, and every login that has not ended: also one that the person knows nothing of. */
export default function Devices(): ReactNode {
  const { settings } = useSessionWords()
  const words = settings.devicesPage
  const { unlock } = useOpenSession()
  const devices = useRead('listDevices', 'devices')
  const sessions = useRead('listSessions', 'devices')
  const setUp = <ButtonLink href={href('unlockSetup')}>{words.add}</ButtonLink>
  return (
    <Page title={words.title} lead={words.lead} back={{ href: href('settings'), label: settings.title }}>
      <Shown of={together({ devices, sessions })}>
        {(read) => (
          <>
            {read.devices.length === 0 ? (
              <Empty act={setUp}>{words.empty}</Empty>
            ) : (
              <>
                <Rows label={words.title}>
                  {read.devices.map((device) => (
                    <Device key={device.id} device={device} />
                  ))}
                </Rows>
                {unlock === null ? <div>{setUp}</div> : null}
              </>
            )}
            <Section title={words.sessions}>
              <Rows label={words.sessions}>
                {read.sessions.map((session) => (
                  <Session key={session.id} session={session} />
                ))}
              </Rows>
            </Section>
          </>
        )}
      </Shown>
    </Page>
  )
}

function Device({ device }: { readonly device: DeviceView }): ReactNode {
  const { devicesPage: words } = useSessionWords().settings
  const { language } = useLanguage()
  const [isNaming, setNaming] = useState(false)
  const { id, kind, name, lastSeenAt, isThis } = device
  return (
    <Row
      start={ICONS[kind]}
      name={name}
      about={
        <>
          {words.kinds[kind]}, {words.seen(formatWhen(language, lastSeenAt, nowMs()))}
          {isNaming ? <Rename device={device} onDone={() => setNaming(false)} /> : null}
        </>
      }
      end={
        <>
          {isThis ? <Tag>{words.this}</Tag> : null}
          {isNaming ? null : (
            <Button look="bare" aria-label={words.renameName(name)} onClick={() => setNaming(true)}>
              {words.rename}
            </Button>
          )}
          <Removal
            words={{
              first: words.remove,
              firstName: words.removeName(name),
              second: words.removeNow,
              busy: words.removing,
            }}
            follows={isThis ? words.removeThisFollows : words.removeFollows}
            remove={() => call('removeDevice', id)}
          />
        </>
      }
    />
  )
}

const LONGEST_NAME = 100

function Rename({ device, onDone }: { readonly device: DeviceView; readonly onDone: () => void }): ReactNode {
  const { devicesPage: words } = useSessionWords().settings
  const [name, setName] = useState(device.name)
  const act = useAct()
  const save = async (): Promise<void> => {
    if (name.trim() === '') return
    if (await act.run(() => call('renameDevice', { id: device.id, name: name.trim() }))) onDone()
  }
  return (
    <Form onSend={save}>
      <TextField label={words.name} value={name} onValue={setName} maxLength={LONGEST_NAME} />
      <Problem failure={act.failure} />
      <div>
        <Button type="submit" look="main" disabled={name.trim() === ''} busy={act.isBusy ? words.renaming : null}>
          {words.saveName}
        </Button>
      </div>
    </Form>
  )
}

function Session({ session }: { readonly session: SessionView }): ReactNode {
  const { devicesPage: words } = useSessionWords().settings
  const { language } = useLanguage()
  const { id, app, device, network, lastUsedAt, isThis } = session
  const name = device === null ? words.unknownDevice : device.startsWith('Mozilla/') ? deviceName(device) : device
  const used = words.seen(formatWhen(language, lastUsedAt, nowMs()))
  return (
    <Row
      start={<AppWindow {...ICON} />}
      name={name}
      about={[words.apps[app], ...(network === null ? [] : [words.network(network)]), used].join(' · ')}
      end={
        isThis ? (
          <Tag>{words.thisSession}</Tag>
        ) : (
          <Removal
            words={{
              first: words.endSession,
              firstName: words.endSessionName(name),
              second: words.endNow,
              busy: words.removing,
            }}
            follows={words.endFollows}
            remove={() => call('endSession', id)}
          />
        )
      }
    />
  )
}

interface RemovalProps {
  readonly words: Readonly<Record<'first' | 'firstName' | 'second' | 'busy', string>>
  /** What follows, before it is done. */
  readonly follows: string
  readonly remove: () => Promise<void>
}

/** The first press says what follows, the second does it. The button stays the same, and with it the focus. */
function Removal({ words, follows, remove }: RemovalProps): ReactNode {
  const { cancel } = useSessionWords().shell
  const [isAsked, setAsked] = useState(false)
  const act = useAct()
  const press = (event: MouseEvent): void => {
    if (!isAsked) setAsked(true)
    // The second click of a double click is no answer.
    else if (event.detail < 2) void act.run(remove)
  }
  return (
    <>
      {isAsked ? <span role="status">{follows}</span> : null}
      <Problem failure={act.failure} />
      <Button
        look="danger"
        aria-label={isAsked ? `${words.firstName}: ${words.second}` : words.firstName}
        busy={act.isBusy ? words.busy : null}
        onClick={press}
      >
        {isAsked ? words.second : words.first}
      </Button>
      {isAsked ? (
        <Button look="bare" onClick={() => setAsked(false)}>
          {cancel}
        </Button>
      ) : null}
    </>
  )
}
