// A component that renders again only when one of its props is another object than before.

import { Component, type ComponentChild, type ComponentType, type FunctionComponent } from "preact";

export function memo<Props extends object>(render: FunctionComponent<Props>): ComponentType<Props> {
  const Inner = render;
  return class Memo extends Component<Props> {
    override shouldComponentUpdate(next: Readonly<Props>): boolean {
      return differs(this.props, next) || differs(next, this.props);
    }

    override render(): ComponentChild {
      return <Inner {...this.props} />;
    }
  };
}

function differs<Props extends object>(a: Readonly<Props>, b: Readonly<Props>): boolean {
  for (const name in a) {
    if (a[name] !== b[name]) return true;
  }
  return false;
}
