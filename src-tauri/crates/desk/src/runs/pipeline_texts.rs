//! Pipelines as texts: reads, checks, copies, saves and deletes them.

use kernel::{Code, Hash, Phrase};

use crate::ApiError;
use crate::api::{
    CheckPipeline, CreatePipeline, Nothing, PipelineCheck, PipelineRef, PipelineText, SavePipeline,
    SavedPipeline,
};
use crate::pipeline_directory::files::{Saved, revision_of};
use crate::runs::RunService;

impl RunService {
    pub(crate) async fn open_pipeline(
        &self,
        PipelineRef { id }: PipelineRef,
    ) -> Result<PipelineText, ApiError> {
        let text = self.pipelines.text(&id)?;
        let revision = self.pipelines.is_file(&id).then(|| revision_of(&text).0);
        Ok(PipelineText { id, text, revision })
    }

    pub(crate) async fn check_pipeline(&self, request: CheckPipeline) -> Result<PipelineCheck, ApiError> {
        let runs = self.clone();
        // Checking a long text takes a while, and the editor checks often.
        let checked = tokio::task::spawn_blocking(move || {
            let CheckPipeline { text, id } = request;
            let (saved_as, checked) = runs.pipelines.check(text, id.as_deref());
            let (card, faults) = match checked {
                Ok(pipeline) => (Some(runs.pipeline_card(pipeline.as_ref())?), Vec::new()),
                Err(faults) => (None, faults),
            };
            Ok(PipelineCheck { saved_as, card, faults })
        });
        checked.await.map_err(|error| ApiError::new(Code::Internal, Phrase::verbatim(error.to_string())))?
    }

    pub(crate) async fn create_pipeline(&self, request: CreatePipeline) -> Result<PipelineRef, ApiError> {
        Ok(PipelineRef { id: self.pipelines.create(request.of.as_deref())? })
    }

    pub(crate) async fn save_pipeline(&self, request: SavePipeline) -> Result<SavedPipeline, ApiError> {
        let SavePipeline { id, text, revision } = request;
        Ok(match self.pipelines.save(&id, &text, revision.map(Hash).as_ref())? {
            Saved::As(id) => SavedPipeline::Saved { id, revision: revision_of(&text).0 },
            Saved::Changed => SavedPipeline::Changed,
        })
    }

    pub(crate) async fn delete_pipeline(&self, PipelineRef { id }: PipelineRef) -> Result<Nothing, ApiError> {
        self.pipelines.delete(&id)?;
        Ok(Nothing {})
    }
}
