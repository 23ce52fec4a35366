// Who is asked and where: the provider, its service and its address, and whether a key is needed there.

import type { JSX } from "preact";
import { useState } from "preact/hooks";

import type { ModelView } from "../generated/protocol.ts";
import { t } from "../ui/i18n.ts";
import { Field, SelectField } from "./field.tsx";
import {
  addressAfterChoice,
  exampleModel,
  isTyped,
  keyNeed,
  PROVIDER_NAMES,
  SERVER_KINDS,
  type ServerKind,
  serviceAt,
  servicesOf,
  usualAddress,
} from "./providers.ts";

export function ProviderFields(props: {
  kind: ServerKind;
  /** The record as it is stored; null for a new one. */
  model: ModelView | null;
  forgetsKey: boolean;
  onKind: (kind: ServerKind) => void;
}): JSX.Element {
  const { kind, model, forgetsKey, onKind } = props;
  const [address, setAddress] = useState(model?.address ?? usualAddress(kind));
  /** What the person wrote, for when they come back to it from a service of the list. */
  const [typed, setTyped] = useState(isTyped(address) ? address : "");
  const type = (written: string) => {
    setAddress(written);
    if (isTyped(written)) setTyped(written);
  };
  const chooseKind = (value: string) => {
    const chosen = SERVER_KINDS.find((known) => known === value) ?? kind;
    setAddress(addressAfterChoice(chosen, address));
    onKind(chosen);
  };

  return (
    <>
      <SelectField
        name="provider"
        label={t("provider")}
        value={kind}
        choices={SERVER_KINDS.map((known) => ({ value: known, label: t(PROVIDER_NAMES[known]) }))}
        onChoose={chooseKind}
      />
      {servicesOf(kind).length > 1 && (
        <ServiceField kind={kind} address={address} onChoose={(chosen) => setAddress(chosen ?? typed)} />
      )}
      <Field
        name="address"
        label={t("model_address")}
        value={address}
        onInput={type}
        placeholder={usualAddress(kind)}
        help={t("model_address_help")}
        isCode
      />
      <Field
        name="model"
        label={t("model_id")}
        value={model?.model ?? ""}
        placeholder={exampleModel(kind, address)}
        help={t("model_id_help")}
        isCode
      />
      <Field
        name="key"
        kind={{ type: "password" }}
        label={t("model_key")}
        value=""
        help={`${keySentence(kind, address)} ${model?.has_key === true ? t("model_key_stored_help") : t("model_key_help")}`}
        isHelpLive
        isDisabled={forgetsKey}
      />
    </>
  );
}

/** The services whose address is known. Another server has the address that is in the field. */
function ServiceField(props: {
  kind: ServerKind;
  address: string;
  /** Told the service's address; null for another server. */
  onChoose: (address: string | null) => void;
}): JSX.Element {
  const { kind, address, onChoose } = props;
  const known = servicesOf(kind).map((service) => ({ value: service.address, label: t(service.name) }));
  return (
    <SelectField
      name="service"
      label={t("service")}
      value={serviceAt(kind, address)?.address ?? ""}
      choices={[...known, { value: "", label: t("service_other") }]}
      help={t("service_help")}
      onChoose={(value) => onChoose(value === "" ? null : value)}
    />
  );
}

function keySentence(kind: ServerKind, address: string): string {
  const need = keyNeed(kind, address);
  switch (need.type) {
    case "needed":
      return t("key_needed", need.host);
    case "not_needed":
      return t("key_not_needed");
    case "perhaps":
      return t("key_perhaps");
    default:
      return need satisfies never;
  }
}
