import { Button, ButtonLink, Buttons, Notice, Page, Quiet } from '@sealpost/ui'
import { Problem, Shown, useAct } from '@sealpost/web-app'
import type { ReactNode } from 'react'
import { href } from '../../routes.ts'
import { canPush, endPush, startPush } from '../../shell/push.ts'
import { useRead } from '../../shell/worker.ts'
import { useWords } from '../../words/index.ts'
import type { PushState } from '../../worker/commands/push.ts'

/** Notices while the app is closed. */
export default function Notices(): ReactNode {
  const { settings } = useWords()
  const words = settings.noticesPage
  const push = useRead('readPush', 'devices')
  return (
    <Page title={words.title} lead={words.lead} back={{ href: href('settings'), label: settings.title }}>
      {canPush() ? (
        <Shown of={push}>{(state) => <Choose push={state} />}</Shown>
      ) : (
        <Notice kind="wait" what={words.cannot} next={words.cannotNext} />
      )}
      <Quiet>{words.content}</Quiet>
    </Page>
  )
}

function Choose({ push }: { readonly push: PushState }): ReactNode {
  const { settings, shell } = useWords()
  const words = settings.noticesPage
  const act = useAct()
  if (push.state === 'unavailable') return <Notice kind="wait" what={words.unavailable} />
  if (push.state === 'not_set_up') {
    const setUp = <ButtonLink href={href('unlockSetup')}>{shell.proof.setUp}</ButtonLink>
    return <Notice kind="wait" what={words.notSetUp} act={setUp} />
  }
  const isOn = push.state === 'on'
  const turn = isOn ? endPush : () => startPush(push.applicationServerKey)
  return (
    <>
      <p role="status">{isOn ? words.isOn : words.isOff}</p>
      <Problem failure={act.failure} />
      <Buttons>
        <Button look={isOn ? 'plain' : 'main'} busy={act.isBusy ? words.busy : null} onClick={() => void act.run(turn)}>
          {isOn ? words.end : words.start}
        </Button>
      </Buttons>
    </>
  )
}
