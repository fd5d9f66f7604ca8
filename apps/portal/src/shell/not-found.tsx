import { ButtonLink, Page } from '@sealpost/ui'
import type { ReactNode } from 'react'
import { href } from '../routes.ts'
import { useWords } from '../words/index.ts'

export function NotFound(): ReactNode {
  const words = useWords().shell.notFound
  return (
    <Page title={words.title} lead={words.lead}>
      <div>
        <ButtonLink href={href('home')}>{words.home}</ButtonLink>
      </div>
    </Page>
  )
}
