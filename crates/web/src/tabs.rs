//! `Tabs` over the broker.

use futures::future::LocalBoxFuture;
use tabwright_host::{HostError, NewTab, Tabs};
use tabwright_protocol::{BrokerCall, BrokerValue, Tab, TabId, TabProgress};

use crate::host::Bridge;

impl Tabs for Bridge {
    fn list(&self) -> LocalBoxFuture<'static, Result<Vec<Tab>, HostError>> {
        self.want("tabs.list", &BrokerCall::TabsList, |value| match value {
            BrokerValue::Tabs { tabs } => Some(tabs),
            BrokerValue::Done | BrokerValue::Tab { .. } | BrokerValue::Progress { .. } => None,
        })
    }

    fn open(
        &self,
        tab: NewTab,
        wait_millis: u32,
    ) -> LocalBoxFuture<'static, Result<TabProgress, HostError>> {
        let call = BrokerCall::TabsOpen {
            url: tab.url,
            active: tab.active,
            window: tab.window,
            wait_millis,
        };
        self.want("tabs.open", &call, progress)
    }

    fn navigate(
        &self,
        tab: TabId,
        url: &str,
        active: bool,
        wait_millis: u32,
    ) -> LocalBoxFuture<'static, Result<TabProgress, HostError>> {
        let call = BrokerCall::TabsNavigate {
            tab,
            url: url.to_owned(),
            active,
            wait_millis,
        };
        self.want("tabs.navigate", &call, progress)
    }

    fn progress(
        &self,
        tab: TabId,
        wait_millis: u32,
    ) -> LocalBoxFuture<'static, Result<TabProgress, HostError>> {
        let call = BrokerCall::TabsProgress { tab, wait_millis };
        self.want("tabs.progress", &call, progress)
    }

    fn close(&self, tab: TabId) -> LocalBoxFuture<'static, Result<(), HostError>> {
        self.done("tabs.close", &BrokerCall::TabsClose { tab })
    }

    fn activate(&self, tab: TabId) -> LocalBoxFuture<'static, Result<Tab, HostError>> {
        let call = BrokerCall::TabsActivate { tab };
        self.want("tabs.activate", &call, |value| match value {
            BrokerValue::Tab { tab } => Some(tab),
            BrokerValue::Done | BrokerValue::Tabs { .. } | BrokerValue::Progress { .. } => None,
        })
    }
}

fn progress(value: BrokerValue) -> Option<TabProgress> {
    match value {
        BrokerValue::Progress { progress } => Some(progress),
        BrokerValue::Done | BrokerValue::Tabs { .. } | BrokerValue::Tab { .. } => None,
    }
}
