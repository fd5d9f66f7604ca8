import { navigate, Page } from '@sealpost/ui'
import type { ReactNode } from 'react'
import { href } from '../routes.ts'
import { SetUpUnlock } from '../start/set-up-unlock.tsx'
import { useSessionWords } from '../words/index.ts'

export default function UnlockSetup(): ReactNode {
  const { start, settings } = useSessionWords()
  const words = start.unlock
  return (
    <Page title={words.setUpTitle} lead={words.setUpLead} back={{ href: href('settings'), label: settings.title }}>
      <SetUpUnlock canWait={false} onDone={() => navigate(href('devices'))} />
    </Page>
  )
}
