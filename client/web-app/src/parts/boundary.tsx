import { Page } from '@sealpost/ui'
import { Component, type ReactNode } from 'react'
import { useWebAppWords } from '../words/index.ts'
import { Problem } from './problem.tsx'

/** A page that cannot be drawn, because an answer has another shape than it should, says so; the others go on. */
export class Boundary extends Component<{ readonly children: ReactNode }, { readonly isBroken: boolean }> {
  override readonly state = { isBroken: false }

  static getDerivedStateFromError(): { readonly isBroken: boolean } {
    return { isBroken: true }
  }

  override render(): ReactNode {
    return this.state.isBroken ? <Broken /> : this.props.children
  }
}

function Broken(): ReactNode {
  const { broken } = useWebAppWords().shell
  return (
    <Page title={broken}>
      <Problem failure={{ kind: 'unexpected', message: broken }} />
    </Page>
  )
}
