//! Whether runs of this process work or wait, for hosts that keep the machine awake or want to close.

use engine::RunHandle;

use crate::runs::RunService;
use crate::settings::KEEP_AWAKE;

impl RunService {
    /// The number of runs of this process that work; a run that waits for an answer does not count.
    pub fn active_runs(&self) -> usize {
        let live = self.live();
        let goes_on = |handle: &&RunHandle| !handle.has_ended() && !self.answers.is_asking(handle.run());
        live.values().filter(goes_on).count()
    }

    /// Whether a run of this process waits for an answer.
    pub fn is_waited_for(&self) -> bool {
        self.live().keys().any(|run| self.answers.is_asking(run))
    }

    /// Waits until runs work and the settings keep the machine awake for them.
    pub async fn until_awake_is_wanted(&self) {
        let mut pulse = self.pulse.subscribe();
        let is_off = || self.settings.get(KEEP_AWAKE).is_ok_and(|value| value == "false");
        while self.active_runs() == 0 || is_off() {
            if pulse.changed().await.is_err() {
                return std::future::pending().await;
            }
        }
    }

    /// Waits until no run works.
    pub async fn until_quiet(&self) {
        let mut pulse = self.pulse.subscribe();
        while self.active_runs() > 0 {
            if pulse.changed().await.is_err() {
                return;
            }
        }
    }

    /// Cancels the runs of this process, and returns them.
    pub(crate) fn cancel_all(&self) -> Vec<RunHandle> {
        let handles: Vec<RunHandle> = self.live().values().cloned().collect();
        for handle in &handles {
            handle.cancel();
        }
        self.keeping.close();
        handles
    }

    /// Waits until the data of ended runs is saved.
    pub(crate) async fn until_saved(&self) {
        self.keeping.wait().await;
    }
}
